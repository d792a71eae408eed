-- name: seats
-- grain: hand x player
-- columns:
--   match_id  UBIGINT  stored
--   hand_index  INTEGER  stored
--   seat  TINYINT  stored
--   player  VARCHAR  stored
--   position  VARCHAR  stored
--   hole  VARCHAR[]  stored
--   hole_final  VARCHAR[]  derived: at the end; as dealt where nothing changed it
--   stack_start  DOUBLE  stored
--   contribution  DOUBLE  stored
--   delta  DOUBLE  stored
--   delta_written  DOUBLE  derived: chips that the written rules pay, delta + written_off; null where they cannot be told
--   delta_engine  DOUBLE  derived: chips that the explaining engine pays, delta + engine_off
--   bounty_rank  VARCHAR  stored
--   bounty_hit  BOOLEAN  stored
--   bankroll_before  DOUBLE  derived: as printed; Koper: chips, stack_start
--   bankroll_after  DOUBLE  derived: chips, bankroll_before + delta
--   shown  BOOLEAN  stored
--   (flags)  BOOLEAN  stored: a bit of seats.flags
--   hand_score  SMALLINT  stored
--   payout  DOUBLE  stored
--   win_cap  DOUBLE  stored
--   redistributed  DOUBLE  stored
--   win_share  DOUBLE  stored
--   eliminated  BOOLEAN  stored
-- definition: cards, chips and the per-hand statistic flags of each player.
select
  match_id, hand_index, seat, player, position, hole,
  coalesce(hole_final, hole) as hole_final,
  stack_start, contribution, delta,
  delta + written_off as delta_written,
  delta + engine_off as delta_engine,
  bounty_rank, bounty_hit,
  coalesce(bankroll_before, stack_start) as bankroll_before,
  coalesce(bankroll_before, stack_start) + delta as bankroll_after,
  shown,
  unnest(flag_columns(flags)),
  hand_score,
  payout,
  win_cap,
  redistributed,
  win_share,
  eliminated
from stored.seats
