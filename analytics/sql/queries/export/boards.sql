select match_id, hand_index, board_no, cards
from boards
where match_id between $low and $high and hand_index between $first and $last
order by match_id, hand_index, board_no
