-- name: action_rates
-- suffixes: by_opponent, before_lock
-- grain: event x game x player x street x position x facing x action
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   position  VARCHAR  place in the hand
--   facing  VARCHAR  nothing: a check is possible; blind: the blinds alone; bet: a bet or raise
--   action  VARCHAR  fold, check, call, bet or raise
--   opportunities  BIGINT  own decisions of the kind; the same for each action
--   successes  BIGINT  those with this action
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of opportunities: fewer if they cluster
-- definition: what a player does on each street in each position. Every own decision counts; the rates of one
--   street, position and facing add up to 1. Except in clusters, several decisions of one hand are treated as
--   independent. Damaged hands are left out, and so are games in which all players bet at once.
select
  * exclude (spread),
  rate_of(successes, opportunities) as rate,
  rate_low(successes, opportunities, spread) as low,
  rate_high(successes, opportunities, spread) as high,
  effective_n(successes, opportunities, spread) as effective_n
from (
  select
    event, game, player, seat,
    /*by_opponent opponent, */
    street, position, facing, action,
    cast(sum(n) as bigint) as opportunities,
    cast(sum(k) as bigint) as successes,
    spread_of(n, k, cluster) as spread
  from (
    select c.* exclude (counts), t.action, list_sum(map_values(c.counts)) as n, coalesce(c.counts[t.action], 0) as k
    from (
      select
        event, game, player, namesake_seat as seat,
        /*by_opponent opponent, */
        street, position, facing, match_id, cluster,
        histogram(action) as counts
      from (
        select
          s.*,
          case when s.to_call = 0 then 'nothing' when s.faced is null then 'blind' else 'bet' end as facing
        from situations as s
        join stored.games as g on g.game = s.game
        where not g.simultaneous
      )
      group by all
    ) as c
    cross join (values ('fold'), ('check'), ('call'), ('bet'), ('raise')) as t (action)
  )
  group by event, game, player, seat, /*by_opponent opponent, */street, position, facing, action
  having sum(k) > 0
)
