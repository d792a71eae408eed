-- name: seats
-- grain: hand x player
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
--   shown  BOOLEAN  stored
--   (flags)  BOOLEAN  stored
--   hand_score  SMALLINT  stored
--   payout  DOUBLE  stored
--   win_cap  DOUBLE  stored
--   redistributed  DOUBLE  stored
--   win_share  DOUBLE  stored
--   eliminated  BOOLEAN  stored
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
  shown,
  acted_preflop, vpip, pfr, rfi_chance, rfi, limp_chance, limp, threebet_chance, threebet, fourbet_chance,
  fourbet, fold_to_3bet_chance, fold_to_3bet, cbet_flop_chance, cbet_flop, cbet_turn_chance, cbet_turn,
  cbet_river_chance, cbet_river, fold_to_cbet_chance, fold_to_cbet, saw_flop, went_to_showdown,
  won_showdown, tied_showdown, won_hand, check_raise_chance, check_raise, donk_chance, donk, probe_chance,
  probe, delayed_cbet_chance, delayed_cbet,
  hand_score,
  payout,
  win_cap,
  redistributed,
  win_share,
  eliminated
from stored.seats
