-- name: posts
-- grain: forced post that follows from its hand
-- columns:
--   match_id  UBIGINT  derived: of the hand
--   hand_index  INTEGER  derived: of the hand
--   line  BIGINT  derived: hands.line + stored.hands.posts, each of the others on the next
--   action  VARCHAR  derived: post
--   origin  VARCHAR  derived: post
--   street  TINYINT  derived: 0
--   seat  TINYINT  derived: the dealer posts the small blind, the opponent the big blind; Koper: all, in their order
--   seq  SMALLINT  derived: 0, 1; Koper: the player's position
--   bet_level  SMALLINT  derived: 0
--   raise_to  DOUBLE  derived: chips, the blind; Koper: the buy-in
--   pip_before  DOUBLE  derived: chips, 0
--   to_call  DOUBLE  derived: chips, 0
--   pot_before  DOUBLE  derived: chips, those of the posts before
--   stack_before  DOUBLE  derived: Koper: chips, seats.stack_start; else null
--   active_players  TINYINT  derived: hands.n_players
-- definition: posts that are as the rules say and follow each other in the log, which are nearly all: heads-up they are
--   a quarter, in Koper a third of all actions and no rows on disk. stored.actions and actions have them.
select
  h.match_id, h.hand_index, h.line + h.posts + p.seq as line,
  'post' as action, 'post' as origin, 0::tinyint as street,
  if(p.seq = 0, h.dealer_seat, 1 - h.dealer_seat)::tinyint as seat,
  p.seq, 0::smallint as bet_level,
  m.blinds[p.seq + 1] as raise_to, 0.0::double as pip_before, 0.0::double as to_call,
  if(p.seq = 0, 0.0, m.blinds[1])::double as pot_before,
  null::double as stack_before, h.n_players as active_players
from stored.hands as h
join stored.matches as m on m.match_id = h.match_id
cross join (values (0::smallint), (1::smallint)) as p (seq)
where h.posts is not null and h.game <> 'koper'
union all
select
  match_id, hand_index, first_line + seq,
  'post', 'post', 0::tinyint, seat, seq, 0::smallint, buy_in, 0.0::double, 0.0::double, seq * buy_in,
  stack_start, n_players
from (
  select
    s.match_id, s.hand_index, h.line + h.posts as first_line, s.seat, try_cast(s.position as smallint) as seq, m.buy_in,
    s.stack_start, h.n_players
  from stored.hands as h
  join stored.seats as s on s.match_id = h.match_id and s.hand_index = h.hand_index
  join stored.matches as m on m.match_id = h.match_id
  where h.posts is not null and h.game = 'koper'
)
