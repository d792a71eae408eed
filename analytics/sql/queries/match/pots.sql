select * from (
    select h.match_id, h.hand_index, h.hand_no, h.line, h.played_for as pot, h.board, h.ended_by, h.verdict,
        list({'seat': s.seat, 'hole': s.hole_final, 'delta': s.delta} order by s.seat) as seats,
        coalesce(max(abs(s.delta)), 0) as most
    from (select * from hands join pots using (match_id, hand_index)
        where among(match_id, $ids) and verdict <> 'damaged'
        qualify rank() over (partition by match_id order by played_for desc) <= $most_pots) h
    join seats s using (match_id, hand_index)
    group by all
)
qualify row_number() over (partition by match_id order by pot desc, most desc, hand_index) <= $most_pots
order by match_id, pot desc, most desc, hand_index
