-- The acts of a hand before one of them that players saw or did, as queries/model/acts.sql has them.
select
    a.street, s.position, a.action,
    if(a.action in ('bet', 'raise'), a.amount_to / coalesce(m.blinds[-1], m.unit), null) as to_bb
from actions as a
join stored.matches as m on m.match_id = a.match_id
join stored.seats as s on s.match_id = a.match_id and s.hand_index = a.hand_index and s.seat = a.seat
where a.match_id = $match_id and a.hand_index = $hand and a.seq < $seq
    and (a.origin = 'choice' or (a.origin = 'substitute' and (a.action <> 'check' or a.stack_before is distinct from 0)))
order by a.seq
