-- name: tendencies_of_others
-- grain: event x game x player x statistic
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player that the others are compared with
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   statistic  VARCHAR  its name in statistics
--   opportunities  BIGINT  opportunities of all other players of the event and game
--   successes  BIGINT  successes of the others
--   rate  DOUBLE  successes / opportunities; null without an opportunity
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
-- definition: the rates of all other players of the event and game together, for comparison with a player's
--   tendencies. Players with more hands have more weight.
select
  event, game, player, seat, statistic, opportunities, successes,
  rate_of(successes, opportunities) as rate,
  rate_low(successes, opportunities, spread) as low,
  rate_high(successes, opportunities, spread) as high
from (
  select
    event, game, player, seat, statistic,
    cast(sum(n) over every - n as bigint) as opportunities,
    cast(sum(k) over every - k as bigint) as successes,
    {
      'clusters': cast(sum(spread.clusters) over every - spread.clusters as bigint),
      'kk': sum(spread.kk) over every - spread.kk,
      'nn': sum(spread.nn) over every - spread.nn,
      'kn': sum(spread.kn) over every - spread.kn
    } as spread
  from (
    select
      event, game, player, namesake_seat as seat, statistic,
      sum(opportunities) as n,
      sum(successes) as k,
      added_spread(spread) as spread
    from tendencies_by_match
    group by all
  )
  window every as (partition by event, game, statistic)
)
