-- The acts before some acts of hands that players saw or did, as queries/model/acts.sql has them; place: in the lists.
with asked as (
    select unnest(range(len($seqs))) as place, unnest($matches) as match_id, unnest($hands) as hand_index,
        unnest($seqs) as seq
)
select
    asked.place, a.street, s.position, a.action,
    if(a.action in ('bet', 'raise'), a.amount_to / coalesce(m.blinds[-1], m.unit), null) as to_bb
from asked
join actions as a on a.match_id = asked.match_id and a.hand_index = asked.hand_index and a.seq < asked.seq
join stored.matches as m on m.match_id = a.match_id
join stored.seats as s on s.match_id = a.match_id and s.hand_index = a.hand_index and s.seat = a.seat
where a.match_id in $matches
    and (a.origin = 'choice' or (a.origin = 'substitute' and (a.action <> 'check' or a.stack_before is distinct from 0)))
order by asked.place, a.seq
