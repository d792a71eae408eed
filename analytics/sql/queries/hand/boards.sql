select match_id, hand_index, list(json_array(board_no, cards, pot, pot_inflation, ended_by, contribution,
    payout) order by board_no)
from boards
