select event, game, player, seat, kind, block, hands, faulty, faults, rate, rate_low, rate_high,
  match_id, hand_index, faults > 0 as concern
from fault_rates
order by event, game, player, seat, kind, block
