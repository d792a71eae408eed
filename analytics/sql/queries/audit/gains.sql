select event, game, deviation, player, seat, hands, gained, moved, match_id, hand_index, gained <> 0 as concern
from who_gained
where among(match_id, $ids)
order by abs(gained) desc, match_id, seat, deviation
