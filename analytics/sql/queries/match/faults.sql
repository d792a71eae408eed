select x.match_id, seat, kind, count(*) as lines, min(x.line) as line,
    min(hand_index) filter (where hand_index < m.hands) as first_hand
from faults x join matches m using (match_id)
where among(x.match_id, $ids) group by all order by x.match_id, seat, kind
