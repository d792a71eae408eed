-- name: fold_frequency_by_opponent
-- grain: event x game x player x opponent x street x position
-- columns:
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   player  VARCHAR  the log's own name
--   seat  TINYINT  the seat where the match holds the name twice, else null
--   opponent  VARCHAR  the name across the table
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river
--   position  VARCHAR  place in the hand: SB (heads-up the dealer), BB
--   opportunities  BIGINT  decisions facing a bet
--   successes  BIGINT  folds among them
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate
--   high  DOUBLE  upper end
-- definition: folds among the player's own decisions that face a bet; preflop the blind or a raise. A fold
--   although a check is free is no such decision. Every decision counts, several of a hand as if they were
--   independent. Damaged hands are left out.
select
  *,
  rate_of(successes, opportunities) as rate,
  wilson_low(successes, opportunities) as low,
  wilson_high(successes, opportunities) as high
from (
  select
    event, game, player, namesake_seat as seat, opponent, street, position,
    cast(sum(opportunities) as bigint) as opportunities,
    cast(sum(successes) as bigint) as successes
  from fold_frequency_by_match
  group by all
)
