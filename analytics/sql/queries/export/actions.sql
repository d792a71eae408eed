select
  match_id, hand_index, seq, board_no, street, seat, action, origin, amount_logged, amount_to, chips_added, to_call,
  pip_before, pot_before, stack_before, min_raise_to, max_raise_to, bet_level
from actions
where match_id between $low and $high and hand_index between $first and $last
order by match_id, hand_index, seq
