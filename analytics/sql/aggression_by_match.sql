-- name: aggression_by_match
-- suffixes: by_street, before_lock
-- grain: match x seat
-- table: in a small store
-- columns:
--   match_id  UBIGINT  key of the match
--   seat  TINYINT  seat in the match, from 0
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   opponent  VARCHAR  name of the opponent
--   namesake_seat  TINYINT  as in the view players
--   street  TINYINT  by_street: 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   bets  BIGINT  own decisions from the flop on
--   raises  BIGINT  own decisions from the flop on
--   calls  BIGINT  own decisions from the flop on
--   checks  BIGINT  own decisions from the flop on
--   folds  BIGINT  own decisions from the flop on
--   af  DOUBLE  aggression factor, (bets + raises) / calls; null without a call
--   afq  DOUBLE  aggression frequency, (bets + raises) / (bets + raises + calls + folds)
--   afq_low  DOUBLE  lower end of its 95% Wilson interval for the effective n
--   afq_high  DOUBLE  upper end
--   aggression_pct  DOUBLE  (bets + raises) / (bets + raises + calls + checks), a share of 1
--   aggression_pct_low  DOUBLE  lower end of its 95% Wilson interval for the effective n
--   aggression_pct_high  DOUBLE  upper end
--   afq_spread  STRUCT(clusters BIGINT, kk DOUBLE, nn DOUBLE, kn DOUBLE)  what effective_n of afq needs
--   pct_spread  STRUCT(clusters BIGINT, kk DOUBLE, nn DOUBLE, kn DOUBLE)  sums from which effective_n of aggression_pct is computed
-- definition: aggression, match by match. Damaged hands are left out, and so is Koper, where nobody checks or
--   calls.
select
  n.match_id, n.seat, p.event, p.game, p.player, p.opponent, p.namesake_seat,
  /*by_street n.street, */
  bets, raises, calls, checks, folds,
  if(calls > 0, (bets + raises) / calls, null) as af,
  rate_of(bets + raises, bets + raises + calls + folds) as afq,
  rate_low(bets + raises, bets + raises + calls + folds, afq_spread) as afq_low,
  rate_high(bets + raises, bets + raises + calls + folds, afq_spread) as afq_high,
  rate_of(bets + raises, bets + raises + calls + checks) as aggression_pct,
  rate_low(bets + raises, bets + raises + calls + checks, pct_spread) as aggression_pct_low,
  rate_high(bets + raises, bets + raises + calls + checks, pct_spread) as aggression_pct_high,
  afq_spread, pct_spread
from (
  select
    match_id, seat,
    /*by_street street, */
    cast(sum(bets) as bigint) as bets,
    cast(sum(raises) as bigint) as raises,
    cast(sum(calls) as bigint) as calls,
    cast(sum(checks) as bigint) as checks,
    cast(sum(folds) as bigint) as folds,
    spread_of(bets + raises + calls + folds, bets + raises, cluster) as afq_spread,
    spread_of(bets + raises + calls + checks, bets + raises, cluster) as pct_spread
  from (
    select
      a.match_id, a.seat,
      /*by_street a.street, */
      -- A hand has several decisions, which depend on each other.
      coalesce(
        cluster_of(f.cluster, f.cluster_hands, a.hand_index, coalesce(r.hand_no, f.hand_no + a.hand_index)), a.hand_index
      ) as cluster,
      count(*) filter (where a.action = 'bet') as bets,
      count(*) filter (where a.action = 'raise') as raises,
      count(*) filter (where a.action = 'call') as calls,
      count(*) filter (where a.action = 'check') as checks,
      count(*) filter (where a.action = 'fold') as folds
    from stored.actions as a
    join match_starts as f on f.match_id = a.match_id
    left join renumbered as r on r.match_id = a.match_id and r.hand_index = a.hand_index
    anti join damaged_hands as d on d.match_id = a.match_id and d.hand_index = a.hand_index
    where a.street > 0 and a.origin = 'choice' and not f.simultaneous
      and a.action in ('fold', 'check', 'call', 'bet', 'raise')
      /*before_lock and a.hand_index < f.counted */
    group by all
  )
  group by all
) as n
join players as p on p.match_id = n.match_id and p.seat = n.seat
