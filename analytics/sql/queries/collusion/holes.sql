-- The code of a card is its index in the list $deck, from 1.
select s.match_id, s.hand_index, s.seat, h.dealer_seat,
    coalesce(list_position($deck, s.hole[1]), 0) - 1, coalesce(list_position($deck, s.hole[2]), 0) - 1,
    coalesce(list_position($deck, h.board[1]), 0) - 1, coalesce(list_position($deck, h.board[2]), 0) - 1,
    coalesce(list_position($deck, h.board[3]), 0) - 1, coalesce(list_position($deck, h.board[4]), 0) - 1,
    coalesce(list_position($deck, h.board[5]), 0) - 1
from stored.seats as s
join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
where among(s.match_id, $ids) and h.verdict <> 'damaged'
    and (s.hand_index < $first or s.hand_index // $run % $every = 0)
order by s.match_id, s.hand_index, s.seat
