-- name: seats
-- grain: hand x player
-- left_out: hole_changed written_off engine_off
-- columns:
--   match_id  UBIGINT  stored
--   hand_index  INTEGER  stored
--   seat  TINYINT  stored
--   player  VARCHAR  stored
--   position  VARCHAR  stored
--   hole  VARCHAR[]  stored
--   hole_final  VARCHAR[]  derived: hole cards at the end of the hand
--   stack_start  DOUBLE  stored
--   contribution  DOUBLE  stored
--   delta  DOUBLE  stored
--   delta_written  DOUBLE  derived: result by the written rules, delta + written_off; null if the rules cannot be applied
--   delta_engine  DOUBLE  derived: result by the rules of the engine profile, delta + engine_off
--   bounty_rank  VARCHAR  stored
--   bounty_hit  BOOLEAN  stored
--   bankroll_before  DOUBLE  stored
--   bankroll_after  DOUBLE  derived: chips, bankroll_before + delta
--   (stored)
-- definition: cards, chips and the per-hand statistic flags of each player.
select
  match_id, hand_index, seat, player, position, hole,
  coalesce(hole_changed, hole) as hole_final,
  stack_start, contribution, delta,
  delta + written_off as delta_written,
  delta + engine_off as delta_engine,
  bounty_rank, bounty_hit,
  bankroll_before,
  bankroll_before + delta as bankroll_after,
  /*stored*/
from stored.seats
