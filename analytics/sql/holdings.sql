-- name: holdings
-- suffixes: before_lock
-- grain: event x game x player x street x action x size x fifth
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   action  VARCHAR  fold check call bet raise
--   size  TINYINT  size bin (size_name) of the own bet or raise, for a fold or call that of the bet faced; null without one; blinds alone do not count
--   fifth  TINYINT  fifth of equity_own: 1 for below 0.2, to 5 for 0.8 and above
--   opportunities  BIGINT  decisions with this action and size whose cards were seen; the same for each fifth
--   successes  BIGINT  those with a hand of this fifth
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of opportunities: fewer if they cluster
--   usual  DOUBLE  share of the fifth among all decisions of the street
-- definition: P(equity fifth | street, action, size): what a player holds when it takes an action. The rates
--   of an action and size add up to 1.
select
  * exclude (spread),
  rate_of(successes, opportunities) as rate,
  rate_low(successes, opportunities, spread) as low,
  rate_high(successes, opportunities, spread) as high,
  effective_n(successes, opportunities, spread) as effective_n,
  sum(successes) over same_fifth / sum(opportunities) over same_fifth as usual
from (
  select
    event, game, player, seat, street, action, size, fifth,
    cast(sum(decisions) as bigint) as opportunities,
    cast(sum(taken) as bigint) as successes,
    spread_of(decisions, taken, cluster) as spread
  from (
    select
      event, game, player, seat, street, action, size, cluster, decisions,
      unnest([
        {'fifth': cast(1 as tinyint), 'taken': lowest},
        {'fifth': cast(2 as tinyint), 'taken': low},
        {'fifth': cast(3 as tinyint), 'taken': middle},
        {'fifth': cast(4 as tinyint), 'taken': high},
        {'fifth': cast(5 as tinyint), 'taken': decisions - lowest - low - middle - high}
      ], recursive := true)
    from (
      select
        event, game, player, namesake_seat as seat, street, action,
        if(action in ('bet', 'raise'), made_bin, faced) as size,
        match_id, cluster,
        count(*) as decisions,
        count(*) filter (where decile <= 2) as lowest,
        count(*) filter (where decile in (3, 4)) as low,
        count(*) filter (where decile in (5, 6)) as middle,
        count(*) filter (where decile in (7, 8)) as high
      from strengths
      where decile is not null
      group by all
    )
  )
  group by all
)
window same_fifth as (partition by event, game, player, seat, street, fifth)
