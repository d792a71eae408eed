-- name: aggression_by_opponent
-- grain: event x game x player x opponent
-- columns:
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   player  VARCHAR  the log's own name
--   seat  TINYINT  the seat where the match holds the name twice, else null
--   opponent  VARCHAR  the name across the table
--   bets  BIGINT  own decisions from the flop on
--   raises  BIGINT  own decisions from the flop on
--   calls  BIGINT  own decisions from the flop on
--   checks  BIGINT  own decisions from the flop on
--   folds  BIGINT  own decisions from the flop on
--   af  DOUBLE  aggression factor, (bets + raises) / calls; null without a call
--   afq  DOUBLE  aggression frequency, (bets + raises) / (bets + raises + calls + folds)
--   afq_low  DOUBLE  lower end of its 95% Wilson interval
--   afq_high  DOUBLE  upper end
--   aggression_pct  DOUBLE  (bets + raises) / (bets + raises + calls + checks), a share of 1
--   aggression_pct_low  DOUBLE  lower end of its 95% Wilson interval
--   aggression_pct_high  DOUBLE  upper end
-- definition: the player's own decisions from the flop on, counted one by one, several of a hand as if they
--   were independent. Folds although a check is free are among the folds. Damaged hands are left out.
select
  *,
  if(calls > 0, (bets + raises) / calls, null) as af,
  rate_of(bets + raises, bets + raises + calls + folds) as afq,
  wilson_low(bets + raises, bets + raises + calls + folds) as afq_low,
  wilson_high(bets + raises, bets + raises + calls + folds) as afq_high,
  rate_of(bets + raises, bets + raises + calls + checks) as aggression_pct,
  wilson_low(bets + raises, bets + raises + calls + checks) as aggression_pct_low,
  wilson_high(bets + raises, bets + raises + calls + checks) as aggression_pct_high
from (
  select
    event, game, player, namesake_seat as seat, opponent,
    cast(sum(bets) as bigint) as bets,
    cast(sum(raises) as bigint) as raises,
    cast(sum(calls) as bigint) as calls,
    cast(sum(checks) as bigint) as checks,
    cast(sum(folds) as bigint) as folds
  from aggression_by_match
  group by all
)
