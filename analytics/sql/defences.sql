-- name: defences
-- suffixes: before_lock
-- grain: event x game x player x street x size faced
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   faced  TINYINT  size bin of the bet or raise (size_name)
--   opportunities  BIGINT  decisions facing it, one other player left
--   folds  BIGINT  among them
--   calls  BIGINT  among them
--   raises  BIGINT  among them
--   rate  DOUBLE  folds / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of opportunities: fewer if they cluster
--   break_even  DOUBLE  mean of 1 - MDF: folds that let a bluff that always loses when called break even
--   mdf  DOUBLE  mean minimum defence frequency (docs/definitions.md), 1 - break_even
--   over_fold  DOUBLE  rate - break_even; above 0 the player folds too much, below 0 too little
-- definition: how a player answers a bet or raise, against the minimum defence frequency. Preflop the blinds alone
--   are not a bet. Pots with more than one other player left are left out. Bounties are not counted.
select
  event, game, player, seat, street, faced, opportunities, folds, calls, raises,
  rate_of(folds, opportunities) as rate,
  rate_low(folds, opportunities, spread) as low,
  rate_high(folds, opportunities, spread) as high,
  effective_n(folds, opportunities, spread) as effective_n,
  break_even,
  1 - break_even as mdf,
  rate_of(folds, opportunities) - break_even as over_fold
from (
  select
    event, game, player, seat, street, faced,
    cast(sum(opportunities) as bigint) as opportunities,
    cast(sum(folds) as bigint) as folds,
    cast(sum(calls) as bigint) as calls,
    cast(sum(raises) as bigint) as raises,
    sum(break_evens) / sum(opportunities) as break_even,
    spread_of(opportunities, folds, cluster) as spread
  from (
    select
      event, game, player, namesake_seat as seat, street, faced, match_id, cluster,
      count(*) as opportunities,
      count(*) filter (where action = 'fold') as folds,
      count(*) filter (where action = 'call') as calls,
      count(*) filter (where action = 'raise') as raises,
      sum(1 - mdf_of(pot_faced, bet_faced)) as break_evens
    from situations
    where faced is not null and active_players = 2
    group by all
  )
  group by all
)
