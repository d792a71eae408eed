-- name: posts
-- grain: forced post that follows from its hand
-- columns:
--   match_id  UBIGINT  derived: of the hand
--   hand_index  INTEGER  derived: of the hand
--   line  BIGINT  derived: hands.line + stored.hands.posts, the big blind's on the next
--   action  VARCHAR  derived: post
--   origin  VARCHAR  derived: post
--   street  TINYINT  derived: 0
--   seat  TINYINT  derived: the dealer posts the small blind, the opponent the big blind
--   seq  SMALLINT  derived: 0, 1
--   bet_level  SMALLINT  derived: 0
--   active_players  TINYINT  derived: 2
--   raise_to  DOUBLE  derived: chips, the blind
--   pip_before  DOUBLE  derived: chips, 0
--   to_call  DOUBLE  derived: chips, 0
--   pot_before  DOUBLE  derived: chips, those of the other post
-- definition: heads-up posts that are as the rules say and follow each other in the log, which are nearly all: they are
--   a quarter of all actions and no rows on disk. stored.actions and actions have them.
select
  h.match_id, h.hand_index, h.line + h.posts + p.seq as line,
  'post' as action, 'post' as origin, 0::tinyint as street,
  if(p.seq = 0, h.dealer_seat, 1 - h.dealer_seat)::tinyint as seat,
  p.seq, 0::smallint as bet_level, 2::tinyint as active_players,
  m.blinds[p.seq + 1] as raise_to, 0.0::double as pip_before, 0.0::double as to_call,
  if(p.seq = 0, 0.0, m.blinds[1])::double as pot_before
from stored.hands as h
join stored.matches as m on m.match_id = h.match_id
cross join (values (0::smallint), (1::smallint)) as p (seq)
where h.posts is not null and m.blinds is not null
