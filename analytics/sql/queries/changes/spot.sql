-- The street and position of one act.
select a.street, s.position
from actions as a
join stored.seats as s on s.match_id = a.match_id and s.hand_index = a.hand_index and s.seat = a.seat
where a.match_id = $match_id and a.hand_index = $hand and a.seq = $seq
