select s.match_id, s.seat, s.position, position_place(s.position) as place, h.ended_by,
    least(h.streets, 5) as streets, count(*) as hands,
    sum(s.delta) as chips
from seats s join hands h using (match_id, hand_index)
where among(s.match_id, $ids) and s.delta is not null and h.verdict <> 'damaged'
group by all order by s.match_id, streets, ended_by, place, position, seat
