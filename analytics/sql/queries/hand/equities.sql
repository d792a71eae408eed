select match_id, hand_index, list(json_array(street, board_no, seat, round(equity_own, 4),
    round(equity_actual, 4), round(value, 2), round(value - value_before, 2))
    order by street, board_no, seat)
from equities
