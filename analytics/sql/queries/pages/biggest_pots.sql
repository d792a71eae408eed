-- Of the matches $some of all $ids. In games of fixed stacks every all-in has the same pot: the hand with the largest win or loss comes first.
with candidates as (
    select h.match_id, h.hand_index, h.hand_no, m.event, h.game, p.played_for as pot, p.played_for / m.unit as bb, h.board, h.ended_by,
        m.shown
    from hands h join (
        select *, if(count(*) over (partition by event, game) > 1, $of_a_match, $most) as shown
        from matches where among(match_id, $ids)
    ) m using (match_id)
    join pots p using (match_id, hand_index)
    where among(h.match_id, $some) and among(p.match_id, $some) and verdict <> 'damaged' and p.played_for / m.unit > 0
    qualify rank() over (partition by h.match_id order by p.played_for desc) <= shown
),
weighed as (
    select c.*, coalesce(max(abs(s.delta)), 0) as most from candidates c join seats s using (match_id, hand_index)
    where among(s.match_id, $some) group by all
),
of_matches as (
    select * from weighed
    qualify row_number() over (partition by match_id order by pot desc, most desc, hand_index) <= shown
),
chosen as (
    select *, row_number() over (partition by event, game
        order by pot desc, most desc, list_position($some, match_id), hand_index) as place
    from of_matches qualify place <= $most
)
select c.*, list({'seat': s.seat, 'hole': list_transform(s.hole_final, lambda card: coalesce(card, '?')), 'delta': s.delta} order by s.delta desc, s.seat) as seats
from chosen c join seats s using (match_id, hand_index)
where among(s.match_id, $some)
group by all order by c.event, c.game, c.place
