select event, game, player, seat, matches, hands, chips, chips_written, place, place_written,
  match_id, hand_index, changes as concern
from standings_as_written
order by event, game, place, player, seat
