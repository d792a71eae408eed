select event, game, winners, winner_seats, winners_written, winner_seats_written, margin, margin_written, moved,
  unpriced_hands,
  match_id, hand_index, changes as concern
from winners_as_written
where among(match_id, $ids) and moved >= 0.01
order by changes desc, moved desc, match_id
