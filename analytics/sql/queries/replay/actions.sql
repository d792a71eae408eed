-- In Koper the last post of an eliminated player is what it leaves.
select a.*,
    coalesce(s.eliminated, false) and a.seq = max(a.seq) over (partition by a.seat) as out
from actions a join seats s using (match_id, hand_index, seat)
where match_id = $match and hand_index = $hand order by a.seq
