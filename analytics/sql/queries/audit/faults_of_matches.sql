select event, game, player, seat, kind, block, hands, faulty, faults, rate, rate_low, rate_high,
  match_id, hand_index, faults > 0 as concern
from fault_rates_by_match
where match_id in (select unnest($ids))
order by event, game, match_id, player, seat, kind, block
