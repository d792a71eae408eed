select m.event, m.game, e.match_id, e.hand_index, e.seat, e.luck / m.unit as luck_bb
from (
    select match_id, hand_index, seat, sum(value - value_before) as luck from equities
    where among(match_id, $ids) group by all
) e join matches m using (match_id)
where e.luck > 0
qualify row_number() over (partition by m.event, m.game order by e.luck / m.unit desc, e.match_id,
    e.hand_index, e.seat) <= $most
