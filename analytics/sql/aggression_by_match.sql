-- name: aggression_by_match
-- grain: match x seat
-- columns:
--   match_id  UBIGINT  key of the match
--   seat  TINYINT  place in the match, from 0
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   player  VARCHAR  the log's own name
--   opponent  VARCHAR  the name across the table
--   namesake_seat  TINYINT  the seat where the match holds the name twice, else null
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
-- definition: aggression, match by match. Damaged hands are left out.
select
  n.match_id, n.seat, p.event, p.game, p.player, p.opponent, p.namesake_seat,
  bets, raises, calls, checks, folds,
  if(calls > 0, (bets + raises) / calls, null) as af,
  rate_of(bets + raises, bets + raises + calls + folds) as afq,
  wilson_low(bets + raises, bets + raises + calls + folds) as afq_low,
  wilson_high(bets + raises, bets + raises + calls + folds) as afq_high,
  rate_of(bets + raises, bets + raises + calls + checks) as aggression_pct,
  wilson_low(bets + raises, bets + raises + calls + checks) as aggression_pct_low,
  wilson_high(bets + raises, bets + raises + calls + checks) as aggression_pct_high
from (
  select
    a.match_id, a.seat,
    count(*) filter (where a.action = 'bet') as bets,
    count(*) filter (where a.action = 'raise') as raises,
    count(*) filter (where a.action = 'call') as calls,
    count(*) filter (where a.action = 'check') as checks,
    count(*) filter (where a.action = 'fold') as folds
  from stored.actions as a
  anti join damaged_hands as d on d.match_id = a.match_id and d.hand_index = a.hand_index
  where a.street > 0 and a.origin = 'choice'
  group by a.match_id, a.seat
) as n
join players as p on p.match_id = n.match_id and p.seat = n.seat
