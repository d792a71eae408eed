-- name: claims_by_kind
-- grain: event x game x player x kind
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   kind  VARCHAR  kind of statement (claims), or `all kinds`
--   opportunities  BIGINT  statements of the kind
--   hands  BIGINT  hands with such statements
--   successes  BIGINT  those that are wrong
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  opportunities^2 / the sum over hands of the squares of theirs: at most the number of hands
-- definition: how often a player's statements about its cards are wrong, by kind of statement (claims).
--   Statements of one hand repeat each other. effective_n counts them as if those of a hand were all right or
--   all wrong together (Kish, Survey Sampling, 1965); how alike they are is not estimated, because most kinds
--   have too few hands for it.
select
  * exclude (effective_n),
  rate_of(successes, opportunities) as rate,
  wilson_low(successes / opportunities * effective_n, effective_n) as low,
  wilson_high(successes / opportunities * effective_n, effective_n) as high,
  effective_n
from (
  select
    event, game, player, seat, kind,
    cast(sum(n) as bigint) as opportunities,
    count(*) as hands,
    cast(sum(k) as bigint) as successes,
    cast(sum(n) as double) ** 2 / sum(n * n) as effective_n
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
