select match_id, hand_index, list(json_array(line, street, seat, action, origin, amount_logged,
    amount_to, chips_added, to_call, pot_before, stack_before, min_raise_to, max_raise_to, board_no,
    win_prob) order by seq)
from actions
