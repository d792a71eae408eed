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
--   rarest  VARCHAR  the card dealt least often
--   commonest  VARCHAR  the card dealt most often
-- definition: are the hole cards dealt evenly? Where hand i deals m of the d cards without replacement, a card is
--   expected sum(m / d) times and the statistic is (d - 1) / d x sum over cards (dealt - expected)^2 / sum over
--   hands (m / d) (1 - m / d): chi-square with d - 1 degrees of freedom. Board cards are left out, because the hole
--   cards influence whether they are dealt. Also left out are matches with fewer than 5 expected of each card, and
--   damaged hands.
with cards as (
  select h.game, coalesce(m.suits, g.suits) as suits, coalesce(m.ranks, g.ranks) as ranks, s.match_id, s.hand_index, unnest(s.hole) as card
  from stored.seats as s
  join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
  join stored.matches as m on m.match_id = s.match_id
  join stored.games as g on g.game = h.game
  where h.verdict <> 'damaged'
),
decks as (
  select game, suits, ranks, coalesce(deck_cards(suits, ranks), list(distinct card)) as deck
  from cards
  group by game, suits, ranks
),
hands_dealt as (
  select game, suits, ranks, match_id, hand_index, count(*) as dealt
  from cards
  group by game, suits, ranks, match_id, hand_index
),
matches_dealt as (
  select
    x.game, x.match_id, d.deck as deck_cards, len(d.deck) as deck,
    count(*) as hands, cast(sum(x.dealt) as bigint) as dealt,
    sum(x.dealt / len(d.deck)) as expected,
    sum(x.dealt / len(d.deck) * (1 - x.dealt / len(d.deck))) as variance
  from hands_dealt as x
  join decks as d
    on d.game = x.game and d.suits is not distinct from x.suits and d.ranks is not distinct from x.ranks
  group by x.game, x.match_id, d.deck
),
counts as (
  select m.match_id, m.card, coalesce(c.times, 0) as times
  from (select match_id, unnest(deck_cards) as card from matches_dealt) as m
  left join (select match_id, card, count(*) as times from cards group by match_id, card) as c
    on c.match_id = m.match_id and c.card = m.card
)
select
  any_value(p.event) as event, any_value(m.game) as game, m.match_id,
  any_value(m.hands) as hands, any_value(m.deck) as deck, any_value(m.dealt) as dealt,
  sum((c.times - m.expected) ** 2) / any_value(m.variance) * (any_value(m.deck) - 1) / any_value(m.deck) as statistic,
  any_value(m.deck) - 1 as df,
  arg_min(c.card, (c.times, c.card)) as rarest,
  arg_max(c.card, (c.times, c.card)) as commonest
from matches_dealt as m
join counts as c on c.match_id = m.match_id
join stored.matches as p on p.match_id = m.match_id
where m.expected >= 5 and m.variance > 0
group by m.match_id
