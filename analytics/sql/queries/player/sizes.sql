select event, game, player, seat, street, street_name(street, game) as street_name, size_bin,
    size_name(size_bin) as size_name, sum(successes)::bigint as bets, sum(all_in)::bigint as all_in
from bets_made_by_match where among(match_id, $ids) and successes > 0
group by event, game, player, seat, street, size_bin order by street, size_bin
