-- What players had learned of cards in the hand itself, in order. A redraw of a player's own is seen by the player too.
with facts as (
    select match_id, hand_index, viewer_seat, item, seat, coalesce(board_no, 0) as board_no, from_street, from_seq, cards
    from visible
    where among(match_id, $ids) and from_street < 99 and cards is not null
)
select * from facts
union all
select distinct match_id, hand_index, seat, item, seat, board_no, from_street, from_seq, cards
from facts where item = 'replaced'
union all
-- What the other receives is what the player gave.
select f.match_id, f.hand_index, o.seat, f.item, f.seat, f.board_no, f.from_street, f.from_seq, f.cards
from facts as f
join stored.seats as o on o.match_id = f.match_id and o.hand_index = f.hand_index and o.seat <> f.seat
where f.item = 'pass'
order by match_id, hand_index, viewer_seat, from_street, from_seq
