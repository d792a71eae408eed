-- name: repeated_deals
-- grain: two matches (or one) with hands of the same cards
-- columns:
--   game  VARCHAR  the game that was played
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  its first such hand
--   other_match_id  UBIGINT  the other match; the same match if the cards were repeated within it
--   other_hand_index  INTEGER  its hand of the same cards
--   shared  BIGINT  hands of the same cards: hole cards and number, or hole cards and flop
--   hands  BIGINT  hands that both have, by number
--   share  DOUBLE  shared / hands
--   expected  DOUBLE  how many honest shuffles would share
--   p  DOUBLE  at most how often honest shuffles share as many in any two of the store's matches
--   reuse  VARCHAR  why it is expected: duplicate, series, seed; null if unexpected
-- definition: the same cards dealt twice. The number X of hands that are equal by chance has the mean m =
--   hands / deals plus pairs of hands / (deals x 22,100 flops) (for one match only the latter), and P(X >= k)
--   <= m^k / k! for two matches, here times the pairs of matches of the game, each match with itself
--   included. Rows are listed from p < 0.05 on. Re-use is expected in the seatings of a duplicate (one
--   matches.duplicate_group and seed), in a series that the engine plays with one set of cards (Koper's five
--   matches, of one file and card_set), and where two headers print one seed.
with dealt as materialized (
  select match_id, hand_index, hand_no, game, hash(deal) as deal, hash(flop) as flop, flop is not null as has_flop,
    log_deals
  from dealt_hands
),
sizes as (
  select match_id, game, count(*) as hands, max(log_deals) as log_deals
  from dealt
  group by match_id, game
),
pairs as (
  select a.match_id, b.match_id as other_match_id, a.hand_index, b.hand_index as other_hand_index
  from dealt as a
  join dealt as b on b.deal = a.deal and b.hand_no = a.hand_no and b.game = a.game and a.match_id < b.match_id
  union all
  select a.match_id, b.match_id, a.hand_index, b.hand_index
  from dealt as a
  join dealt as b on b.deal = a.deal and b.flop = a.flop and b.game = a.game
    and (
      (a.match_id < b.match_id and a.hand_no <> b.hand_no)
      or (a.match_id = b.match_id and a.hand_index < b.hand_index)
    )
  where a.has_flop and b.has_flop
),
counted as (
  select
    match_id, other_match_id, count(*) as shared,
    arg_min((hand_index, other_hand_index), hand_index) as places
  from pairs
  group by match_id, other_match_id
),
weighed as (
  select
    x.game, c.match_id, c.other_match_id, c.shared, c.places,
    least(x.hands, y.hands) as hands,
    if(
      c.match_id = c.other_match_id,
      x.hands * (x.hands - 1) / 2 / 22100,
      least(x.hands, y.hands) + x.hands * y.hands / 22100
    ) * exp(-x.log_deals) as expected,
    g.matches * (g.matches + 1) / 2 as comparisons
  from counted as c
  join sizes as x on x.match_id = c.match_id
  join sizes as y on y.match_id = c.other_match_id
  join (select game, count(*) as matches from sizes group by game) as g on g.game = x.game
)
select
  w.game, w.match_id, w.places[1] as hand_index, w.other_match_id, w.places[2] as other_hand_index,
  w.shared, w.hands, w.shared / w.hands as share, w.expected,
  least(1.0, w.comparisons * exp(w.shared * ln(w.expected) - lgamma(w.shared + 1))) as p,
  case
    when w.match_id = w.other_match_id then null
    when a.card_set = b.card_set and a.file_id = b.file_id and a.seed is null then 'series'
    when a.duplicate_group = b.duplicate_group and a.seed = b.seed then 'duplicate'
    when a.seed = b.seed then 'seed'
  end as reuse
from weighed as w
join stored.matches as a on a.match_id = w.match_id
join stored.matches as b on b.match_id = w.other_match_id
where w.shared > w.expected and ln(w.comparisons) + w.shared * ln(w.expected) - lgamma(w.shared + 1) < ln(chance_level())
