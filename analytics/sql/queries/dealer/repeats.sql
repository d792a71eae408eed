-- Pairs of an event's hands that were dealt the same hole cards and the same flop, and how many honest shuffles give.
-- Matches that were dealt the same cards are not among $ids twice; those that print one seed may repeat.
with dealt as (
  select m.event, m.game, m.seed, d.match_id, d.hand_index, d.hand_no, hash(d.deal, d.flop) as cards, d.log_deals, d.cards as holes,
    len(deck_cards(coalesce(m.suits, g.suits), coalesce(m.ranks, g.ranks))) as deck
  from dealt_hands as d
  join stored.matches as m on m.match_id = d.match_id
  join stored.games as g on g.game = m.game
  where d.flop is not null and among(d.match_id, $ids)
),
pairs as (
  select a.event, a.game, count(*) as pairs, min((a.match_id, a.hand_index)) as first
  from dealt as a
  join dealt as b on b.event is not distinct from a.event and b.game = a.game and b.cards = a.cards
    and (a.match_id, a.hand_index) < (b.match_id, b.hand_index)
  where a.match_id = b.match_id or a.seed is distinct from b.seed or a.seed is null
  group by a.event, a.game
)
select s.event, s.game, s.matches, s.hands, coalesce(p.pairs, 0) as pairs,
  s.hands * (s.hands - 1) / 2 * exp(-s.log_deals) / ((s.deck - s.holes) * (s.deck - s.holes - 1) * (s.deck - s.holes - 2) / 6) as fair,
  coalesce(p.first[1], s.match_id) as match_id, coalesce(p.first[2], 0) as hand_index
from (
  select event, game, count(*) as hands, count(distinct match_id) as matches, min(log_deals) as log_deals,
    max(holes) as holes, any_value(deck) as deck, min(match_id) as match_id
  from dealt
  group by event, game
) as s
left join pairs as p on p.event is not distinct from s.event and p.game = s.game
where s.hands > 1
order by all
