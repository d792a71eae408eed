-- name: strength_rates
-- suffixes: by_opponent, before_lock
-- grain: event x game x player x street x facing x decile x action
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   facing  VARCHAR  nothing: a check is possible; blind: the blinds alone; bet: a bet or raise
--   decile  TINYINT  tenth of equity_own, 1 to 10; null if the cards were not seen
--   action  VARCHAR  fold, raise (bets too), and check or call, whichever there is
--   opportunities  BIGINT  own decisions of the kind with such a hand; the same for each action
--   successes  BIGINT  those with this action
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of opportunities: fewer if they cluster
-- definition: P(action | equity decile, street, facing): how often a player takes each action with hands of each
--   strength. The rates of one street, facing and decile add up to 1. actions_by_strength splits them by position and
--   by the size faced.
select
  * exclude (spread),
  rate_of(successes, opportunities) as rate,
  rate_low(successes, opportunities, spread) as low,
  rate_high(successes, opportunities, spread) as high,
  effective_n(successes, opportunities, spread) as effective_n
from (
  select
    event, game, player, seat, /*by_opponent opponent, */street, facing, decile, action,
    cast(sum(decisions) as bigint) as opportunities,
    cast(sum(taken) as bigint) as successes,
    spread_of(decisions, taken, cluster) as spread
  from (
    select
      event, game, player, seat, /*by_opponent opponent, */street, facing, decile, cluster, decisions,
      unnest([
        {'action': 'fold', 'taken': folds},
        {'action': if(facing = 'nothing', 'check', 'call'), 'taken': decisions - folds - raises},
        {'action': 'raise', 'taken': raises}
      ], recursive := true)
    from (
      select
        event, game, player, namesake_seat as seat, /*by_opponent opponent, */street,
        case when can_check then 'nothing' when faced is null then 'blind' else 'bet' end as facing,
        decile, match_id, cluster,
        count(*) as decisions,
        count(*) filter (where action = 'fold') as folds,
        count(*) filter (where action in ('bet', 'raise')) as raises
      from strengths
      group by all
    )
  )
  group by all
)
