-- The street and position of some acts, in the order of the lists.
with asked as (
    select unnest(range(len($seqs))) as place, unnest($matches) as match_id, unnest($hands) as hand_index,
        unnest($seqs) as seq
)
select a.street, s.position
from asked
join actions as a on a.match_id = asked.match_id and a.hand_index = asked.hand_index and a.seq = asked.seq
join stored.seats as s on s.match_id = a.match_id and s.hand_index = a.hand_index and s.seat = a.seat
where a.match_id in $matches
order by asked.place
