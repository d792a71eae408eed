-- name: fold_frequency
-- suffixes: by_opponent, before_lock
-- grain: event x game x player x street x position
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   position  VARCHAR  place in the hand: SB (heads-up the dealer), BB
--   opportunities  BIGINT  decisions facing a bet
--   successes  BIGINT  folds among them
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of opportunities: fewer if they cluster
-- definition: folds among the player's own decisions that face a bet; preflop the blind or a raise. A fold
--   where a check is free is not such a decision. Every decision counts; except in clusters, several of one
--   hand are treated as independent. Damaged hands are left out. The view reads all actions: over 10 million
--   hands it takes seconds to a minute.
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
    street, position,
    cast(sum(opportunities) as bigint) as opportunities,
    cast(sum(successes) as bigint) as successes,
    added_spread(spread) as spread
  from fold_frequency_by_match
  group by all
)
