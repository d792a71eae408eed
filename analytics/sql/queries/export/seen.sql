-- What players had learned in the hand itself; nobody decides anything in it after its end (from_street 99).
select match_id, hand_index, viewer_seat, item, seat, board_no, from_street, from_seq, cards, value
from visible
where match_id between $low and $high and hand_index between $first and $last and from_street < 99
-- What becomes known at once: the decisions on several boards, the bids of both.
order by match_id, hand_index, from_street, from_seq, board_no, seat, item
