select match_id, hand_index, list(json_array(line, street, seat, kind, cards, cards_effective, board_no)
    order by seq)
from deals
