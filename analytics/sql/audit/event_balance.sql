-- name: event_balance
-- grain: event x game x deck, of several matches
-- columns:
--   event  VARCHAR  tournament or event of the matches
--   game  VARCHAR  the game that was played
--   match_id  UBIGINT  key of the first of the matches
--   match_ids  UBIGINT[]  the matches
--   matches  BIGINT  matches of different cards: those that were dealt the same cards (card_sequences) count as one
--   hands  BIGINT  hands whose hole cards are known
--   deck  BIGINT  cards of the deck
--   dealt  BIGINT  hole cards dealt
--   statistic  DOUBLE  chi-square of how often each card was dealt
--   df  BIGINT  its degrees of freedom, deck - 1
--   expected  DOUBLE  expected count of each card in a fair deal
--   rarest  VARCHAR  the card dealt least often
--   rarest_dealt  BIGINT  how often it was dealt
--   commonest  VARCHAR  the card dealt most often
--   commonest_dealt  BIGINT  how often it was dealt
-- definition: deal_balance over all matches of an event, which shows a dealer whose matches are too short, or whose
--   fault is too small, for a test of each. Left out where fewer than 5 of each card are expected.
with apart as (
  select match_id
  from stored.matches
  left join card_sequences using (match_id)
  qualify row_number() over (partition by event, game, coalesce(cards, cast(match_id as varchar)) order by match_id) = 1
),
pooled as (
  select
    d.event, d.game, d.deck, d.card, list(d.match_id order by d.match_id) as match_ids,
    cast(sum(d.hands) as bigint) as hands, cast(sum(d.dealt) as bigint) as dealt, cast(sum(d.times) as bigint) as times,
    sum(d.expected) as expected, sum(d.variance) as variance
  from cards_dealt as d
  join apart as a on a.match_id = d.match_id
  group by d.event, d.game, d.deck, d.card
)
select
  event, game, any_value(match_ids)[1] as match_id, any_value(match_ids) as match_ids,
  len(any_value(match_ids)) as matches, any_value(hands) as hands, len(deck) as deck, any_value(dealt) as dealt,
  sum((times - expected) ** 2) / any_value(variance) * (len(deck) - 1) / len(deck) as statistic,
  len(deck) - 1 as df,
  any_value(expected) as expected,
  arg_min(card, (times, card)) as rarest, min(times) as rarest_dealt,
  arg_max(card, (times, card)) as commonest, max(times) as commonest_dealt
from pooled
where expected >= 5 and variance > 0 and len(match_ids) > 1
group by event, game, deck
