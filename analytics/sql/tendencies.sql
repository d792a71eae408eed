-- name: tendencies
-- suffixes: by_opponent, by_position, before_lock
-- grain: event x game x player x statistic
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   position  VARCHAR  by_position: place in the hand
--   statistic  VARCHAR  its name in statistics
--   opportunities  BIGINT  hands with the opportunity; in Blotto boards
--   successes  BIGINT  hands in which the opportunity was taken
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of opportunities: fewer if they cluster
-- definition: how often a player takes the opportunities that statistics describes, at most one a hand, in Blotto
--   one a board. Damaged hands are left out.
select
  * exclude (spread),
  rate_of(successes, opportunities) as rate,
  rate_low(successes, opportunities, spread) as low,
  rate_high(successes, opportunities, spread) as high,
  effective_n(successes, opportunities, spread) as effective_n
from (
  select
    event, game, player, namesake_seat as seat,
    /*by_opponent opponent, */
    /*by_position position, */
    statistic,
    cast(sum(opportunities) as bigint) as opportunities,
    cast(sum(successes) as bigint) as successes,
    added_spread(spread) as spread
  from tendencies_by_match
  group by all
)
