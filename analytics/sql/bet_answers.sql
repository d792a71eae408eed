-- name: bet_answers
-- suffixes: by_opponent, before_lock
-- grain: event x game x player x street x size bin x answer
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   size_bin  TINYINT  1 to 6 (size_name), of decisions.size_faced; null if only blinds are faced
--   answer  VARCHAR  fold, call or raise
--   opportunities  BIGINT  own decisions facing such a bet
--   successes  BIGINT  decisions with this answer
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of opportunities: fewer if they cluster
--   mdf  DOUBLE  mean of mdf in decisions; null if only blinds are faced
-- definition: bets_faced over all positions, as a view of its own because intervals do not add up over
--   positions.
select
  * exclude (spread, mdf),
  rate_of(successes, opportunities) as rate,
  rate_low(successes, opportunities, spread) as low,
  rate_high(successes, opportunities, spread) as high,
  effective_n(successes, opportunities, spread) as effective_n,
  mdf
from (
  select
    event, game, player, namesake_seat as seat,
    /*by_opponent opponent, */
    street, size_bin, answer,
    cast(sum(opportunities) as bigint) as opportunities,
    cast(sum(successes) as bigint) as successes,
    added_spread(spread) as spread,
    sum(mdf * opportunities) / sum(opportunities) as mdf
  from bet_answers_by_match
  group by all
)
