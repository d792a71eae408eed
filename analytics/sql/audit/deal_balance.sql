-- name: deal_balance
-- grain: match
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   match_id  UBIGINT  key of the match
--   hands  BIGINT  hands whose hole cards are known
--   deck  BIGINT  cards of the game's deck; of an ACPC game whose definition is not known those that its hands show
--   dealt  BIGINT  hole cards dealt
--   statistic  DOUBLE  chi-square of how often each card was dealt
--   df  BIGINT  its degrees of freedom, deck - 1
--   expected  DOUBLE  expected count of each card in a fair deal
--   rarest  VARCHAR  the card dealt least often
--   rarest_dealt  BIGINT  how often it was dealt
--   commonest  VARCHAR  the card dealt most often
--   commonest_dealt  BIGINT  how often it was dealt
-- definition: whether hole cards are dealt evenly (cards_dealt). The statistic is (d - 1) / d x sum over the
--   d cards of (times - expected)^2 / variance: chi-square with d - 1 degrees of freedom. Matches with fewer
--   than 5 expected of each card are left out.
select
  any_value(event) as event, any_value(game) as game, match_id,
  any_value(hands) as hands, count(*) as deck, any_value(dealt) as dealt,
  sum((times - expected) ** 2) / any_value(variance) * (count(*) - 1) / count(*) as statistic,
  count(*) - 1 as df,
  any_value(expected) as expected,
  arg_min(card, (times, card)) as rarest, min(times) as rarest_dealt,
  arg_max(card, (times, card)) as commonest, max(times) as commonest_dealt
from cards_dealt
where expected >= 5 and variance > 0
group by match_id
