-- name: street_chances
-- suffixes: before_lock
-- grain: hand x seat x street x statistic, in Blotto x board
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   board_no  TINYINT  number of the board in games of several boards; else 0
--   seat  TINYINT  seat in the match, from 0
--   position  VARCHAR  place in this hand
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   statistic  VARCHAR  its name in street_statistics
--   opportunities  BIGINT  1
--   successes  BIGINT  1 if the opportunity was taken, else 0
-- definition: one row where a player had the opportunity that street_statistics describes, at most one a street.
--   Damaged hands are left out.
select
  f.match_id, f.hand_index, f.board_no, f.seat, p.position, f.street, t.statistic,
  cast(1 as bigint) as opportunities,
  cast(f.taken & t.bit <> 0 as bigint) as successes
from street_flags as f
join street_statistics as t on f.chances & t.bit <> 0
join positions as p on p.match_id = f.match_id and p.place = f.place
