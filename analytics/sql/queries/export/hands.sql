select
  match_id, hand_index, hand_no, dealer_seat, streets, ended_by, board, verdict, board_changed is not null
from hands
where match_id between $low and $high and hand_index between $first and $last
order by match_id, hand_index
