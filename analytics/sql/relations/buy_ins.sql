-- name: buy_ins
-- grain: buy-in of Koper that follows from its game
-- columns:
--   match_id  UBIGINT  derived: of the game
--   hand_index  INTEGER  derived: of the game
--   line  BIGINT  derived: hands.line + stored.hands.posts, each of the others on the next
--   action  VARCHAR  derived: post
--   origin  VARCHAR  derived: post
--   street  TINYINT  derived: 0
--   seat  TINYINT  derived: all who are dealt cards, in their order
--   seq  SMALLINT  derived: the player's position
--   bet_level  SMALLINT  derived: 0
--   raise_to  DOUBLE  derived: chips, the buy-in
--   pip_before  DOUBLE  derived: chips, 0
--   to_call  DOUBLE  derived: chips, 0
--   pot_before  DOUBLE  derived: chips, the buy-ins before
--   stack_before  DOUBLE  derived: chips, seats.stack_start
--   active_players  TINYINT  derived: hands.n_players
-- definition: the buy-ins of games in which nobody is eliminated before the deal and whose lines follow each other,
--   which are nearly all. They are a third of Koper's actions and take no rows on disk; stored.actions and actions
--   have them.
select
  match_id, hand_index, first_line + seq as line,
  'post' as action, 'post' as origin, 0::tinyint as street,
  seat, seq, 0::smallint as bet_level,
  buy_in as raise_to, 0.0::double as pip_before, 0.0::double as to_call,
  seq * buy_in as pot_before,
  stack_start as stack_before, n_players as active_players
from (
  select
    s.match_id, s.hand_index, h.line + h.posts as first_line, s.seat, try_cast(s.position as smallint) as seq, m.buy_in,
    s.stack_start, h.n_players
  from stored.hands as h
  join stored.seats as s on s.match_id = h.match_id and s.hand_index = h.hand_index
  join stored.matches as m on m.match_id = h.match_id
  where h.posts is not null and m.buy_in is not null
)
