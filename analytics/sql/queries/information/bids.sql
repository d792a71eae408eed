-- Bids that were made after the opponent's, in auctions in which both players could bid what they wanted.
select
    b.match_id, b.hand_index, b.seat, b.amount_logged, a.amount_logged, b.pot_before, b.stack_before, a.stack_before
from actions as a
join actions as b on b.match_id = a.match_id and b.hand_index = a.hand_index and b.seq > a.seq and b.seat <> a.seat
join stored.hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
where among(a.match_id, $ids) and a.action = 'bid' and b.action = 'bid'
    and a.origin = 'choice' and b.origin = 'choice' and h.verdict <> 'damaged'
    and least(a.stack_before, b.stack_before) > 1
order by b.match_id, b.hand_index, b.seq
