-- name: aggression
-- suffixes: by_opponent, by_street, before_lock
-- grain: event x game x player
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   street  TINYINT  by_street: 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   bets  BIGINT  own decisions from the flop on
--   raises  BIGINT  own decisions from the flop on
--   calls  BIGINT  own decisions from the flop on
--   checks  BIGINT  own decisions from the flop on
--   folds  BIGINT  own decisions from the flop on
--   af  DOUBLE  aggression factor, (bets + raises) / calls; null without a call
--   afq  DOUBLE  aggression frequency, (bets + raises) / (bets + raises + calls + folds); null of no decision
--   afq_low  DOUBLE  lower end of its 95% Wilson interval for the effective n
--   afq_high  DOUBLE  upper end
--   aggression_pct  DOUBLE  (bets + raises) / (bets + raises + calls + checks), a share of 1
--   aggression_pct_low  DOUBLE  lower end of its 95% Wilson interval for the effective n
--   aggression_pct_high  DOUBLE  upper end
-- definition: the player's own decisions from the flop on. Every decision counts; those of one hand form a
--   cluster if hands are independent. Folds where a check is free count as folds. Damaged hands are left out,
--   and so is Koper, where players neither check nor call.
select
  * exclude (afq_spread, pct_spread),
  if(calls > 0, (bets + raises) / calls, null) as af,
  rate_of(bets + raises, bets + raises + calls + folds) as afq,
  rate_low(bets + raises, bets + raises + calls + folds, afq_spread) as afq_low,
  rate_high(bets + raises, bets + raises + calls + folds, afq_spread) as afq_high,
  rate_of(bets + raises, bets + raises + calls + checks) as aggression_pct,
  rate_low(bets + raises, bets + raises + calls + checks, pct_spread) as aggression_pct_low,
  rate_high(bets + raises, bets + raises + calls + checks, pct_spread) as aggression_pct_high
from (
  select
    event, game, player, namesake_seat as seat,
    /*by_opponent opponent, */
    /*by_street street, */
    cast(sum(bets) as bigint) as bets,
    cast(sum(raises) as bigint) as raises,
    cast(sum(calls) as bigint) as calls,
    cast(sum(checks) as bigint) as checks,
    cast(sum(folds) as bigint) as folds,
    added_spread(afq_spread) as afq_spread,
    added_spread(pct_spread) as pct_spread
  from aggression_by_match
  group by all
)
