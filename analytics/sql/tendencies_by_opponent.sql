-- name: tendencies_by_opponent
-- grain: event x game x player x opponent x statistic
-- columns:
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   player  VARCHAR  the log's own name
--   seat  TINYINT  the seat where the match holds the name twice, else null
--   opponent  VARCHAR  the name across the table
--   statistic  VARCHAR  its name in statistics
--   opportunities  BIGINT  hands with the opportunity
--   successes  BIGINT  hands in which it was taken
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate
--   high  DOUBLE  upper end
-- definition: how often a player takes the opportunities that statistics describes, one a hand at most. The
--   interval takes hands as independent. Damaged hands are left out.
select
  *,
  rate_of(successes, opportunities) as rate,
  wilson_low(successes, opportunities) as low,
  wilson_high(successes, opportunities) as high
from (
  select
    event, game, player, namesake_seat as seat, opponent, statistic,
    cast(sum(opportunities) as bigint) as opportunities,
    cast(sum(successes) as bigint) as successes
  from tendencies_by_match
  group by all
)
