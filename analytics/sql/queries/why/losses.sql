-- The $most hands in which a seat ($seats) of some matches ($ids) lost most, in bb; of equal losses first those in which it
-- had the smallest share of the pot to expect at its own last choice: its street, action and that share. The pot is what
-- could be won, without the uncalled part of the last bet.
with asked as (
  select unnest($ids)::ubigint as match_id, unnest($seats)::tinyint as seat
),
losses as (
  select s.match_id, s.hand_index, s.seat, s.delta / m.unit as won, h.n_players
  from asked as a
  join stored.seats as s on s.match_id = a.match_id and s.seat = a.seat
  join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
  join stored.matches as m on m.match_id = s.match_id
  where s.delta < 0 and h.verdict <> 'damaged'
),
choices as (
  select c.match_id, c.hand_index, c.seat, max_by(c.street, c.seq) as street, max_by(c.action, c.seq) as action
  from actions as c
  join asked as a on a.match_id = c.match_id and a.seat = c.seat
  where c.origin = 'choice' and among(c.match_id, $ids)
  group by c.match_id, c.hand_index, c.seat
)
select
  l.match_id, l.hand_index, l.won, p.played_for / m.unit as pot, l.n_players, c.street, c.action,
  e.equity_actual as equity
from losses as l
join stored.matches as m on m.match_id = l.match_id
join pots as p on p.match_id = l.match_id and p.hand_index = l.hand_index
left join choices as c on c.match_id = l.match_id and c.hand_index = l.hand_index
left join equities as e
  on e.match_id = l.match_id and e.hand_index = l.hand_index and e.seat = l.seat and e.street = c.street
  and e.board_no is null
where among(l.match_id, $ids)
order by l.won, equity nulls last, l.match_id, l.hand_index
limit $most
