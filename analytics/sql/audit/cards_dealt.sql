-- name: cards_dealt
-- grain: match x card of its deck
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   match_id  UBIGINT  key of the match
--   card  VARCHAR  a card of the deck
--   deck  VARCHAR[]  the cards of the game's deck; of an ACPC game whose definition is not known those that its hands show
--   hands  BIGINT  hands of the match whose hole cards are known
--   dealt  BIGINT  hole cards dealt in them
--   times  BIGINT  how often the card was among them
--   expected  DOUBLE  expected count in a fair deal: sum over hands of m / d, for m of d cards
--   variance  DOUBLE  of that number: sum over hands of m / d x (1 - m / d)
-- definition: how often each card was dealt to a player. Board cards are left out, because the hole cards
--   influence whether they are dealt. So are damaged hands, and matches with hole cards that the store does
--   not have.
with cards as (
  select h.game, coalesce(m.suits, g.suits) as suits, coalesce(m.ranks, g.ranks) as ranks, s.match_id, s.hand_index, unnest(s.hole) as card
  from stored.seats as s
  join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
  join stored.matches as m on m.match_id = s.match_id
  join open_matches as o on o.match_id = s.match_id
  join stored.games as g on g.game = h.game
  where h.verdict <> 'damaged'
),
decks as (
  select game, suits, ranks, coalesce(deck_cards(suits, ranks), list(distinct card order by card)) as deck
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
    x.game, x.match_id, d.deck, count(*) as hands, cast(sum(x.dealt) as bigint) as dealt,
    sum(x.dealt / len(d.deck)) as expected,
    sum(x.dealt / len(d.deck) * (1 - x.dealt / len(d.deck))) as variance
  from hands_dealt as x
  join decks as d
    on d.game = x.game and d.suits is not distinct from x.suits and d.ranks is not distinct from x.ranks
  group by x.game, x.match_id, d.deck
)
select
  p.event, m.game, m.match_id, m.card, m.deck, m.hands, m.dealt, coalesce(c.times, 0) as times, m.expected, m.variance
from (select *, unnest(deck) as card from matches_dealt) as m
join stored.matches as p on p.match_id = m.match_id
left join (select match_id, card, count(*) as times from cards group by match_id, card) as c
  on c.match_id = m.match_id and c.card = m.card
