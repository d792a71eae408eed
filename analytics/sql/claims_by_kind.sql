-- name: claims_by_kind
-- grain: event x game x player x kind
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match holds the name twice
--   kind  VARCHAR  what the statements are about (claims), or `all kinds`
--   opportunities  BIGINT  statements of the kind
--   successes  BIGINT  those that are wrong
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of statements: fewer, as those of one hand repeat each other
-- definition: how often what a player says of its cards is wrong, by kind of statement (claims); hands are the clusters.
select
  * exclude (spread),
  rate_of(successes, opportunities) as rate,
  rate_low(successes, opportunities, spread) as low,
  rate_high(successes, opportunities, spread) as high,
  effective_n(successes, opportunities, spread) as effective_n
from (
  select
    event, game, player, seat, kind,
    cast(sum(n) as bigint) as opportunities,
    cast(sum(k) as bigint) as successes,
    spread_of(n, k, hand_index) as spread
  from (
    select
      event, game, player, namesake_seat as seat, kind, match_id, hand_index,
      count(*) as n,
      count(*) filter (where is_wrong) as k
    from (select * replace (unnest([kind, 'all kinds']) as kind) from claims)
    group by all
  )
  group by all
)
