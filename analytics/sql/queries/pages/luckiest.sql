select s.match_id, s.hand_index, s.seat, m.event, m.game, p.played_for as pot, p.played_for / m.unit as bb, h.board,
    m.unit, s.delta, s.hole_final as hole
from seats s join hands h using (match_id, hand_index) join pots p using (match_id, hand_index)
    join matches m using (match_id)
where among(s.match_id, $ids) and list_contains($hands, s.hand_index)
