-- name: actions_by_strength
-- suffixes: before_lock
-- grain: event x game x player x street x position x size faced x decile x action
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   position  VARCHAR  place in the hand
--   can_check  BOOLEAN  a check is possible
--   faced  TINYINT  size bin of the bet or raise faced (size_name); null without one; blinds alone do not count
--   decile  TINYINT  tenth of equity_own, 1 to 10; null if the cards were not seen
--   action  VARCHAR  fold, raise (bets too), and check or call, whichever there is
--   opportunities  BIGINT  decisions; the same for each action of the situation
--   successes  BIGINT  those with this action
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of opportunities: fewer if they cluster
-- definition: P(action | equity decile, street, size faced, position): what a player does with hands of each
--   strength. The rates of the actions of a situation add up to 1.
select
  * exclude (spread),
  rate_of(successes, opportunities) as rate,
  rate_low(successes, opportunities, spread) as low,
  rate_high(successes, opportunities, spread) as high,
  effective_n(successes, opportunities, spread) as effective_n
from (
  select
    event, game, player, seat, street, position, can_check, faced, decile, action,
    cast(sum(decisions) as bigint) as opportunities,
    cast(sum(taken) as bigint) as successes,
    spread_of(decisions, taken, cluster) as spread
  from (
    select
      event, game, player, seat, street, position, can_check, faced, decile, cluster, decisions,
      unnest([
        {'action': 'fold', 'taken': folds},
        {'action': if(can_check, 'check', 'call'), 'taken': decisions - folds - raises},
        {'action': 'raise', 'taken': raises}
      ], recursive := true)
    from (
      select
        event, game, player, namesake_seat as seat, street, position, can_check, faced, decile, match_id, cluster,
        count(*) as decisions,
        count(*) filter (where action = 'fold') as folds,
        count(*) filter (where action in ('bet', 'raise')) as raises
      from strengths
      group by all
    )
  )
  group by all
)
