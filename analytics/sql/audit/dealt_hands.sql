-- name: dealt_hands
-- grain: hand of which every player's hole cards are in the log
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   hand_no  BIGINT  printed number of the hand
--   game  VARCHAR  the game that was played
--   deal  VARCHAR[]  the hole cards of each player dealt in, one word per player, sorted, so that the holder does not matter
--   flop  VARCHAR  the first three board cards as one word; null if there are fewer, or several boards
--   cards  BIGINT  hole cards dealt
--   log_deals  DOUBLE  natural logarithm of how many such deals there are
-- definition: the cards with which each hand begins, for comparison with other hands. For n players with h cards of
--   a deck of d there are d! / (h!^n (d - n h)! n!) deals. d is the game's; if it is not known, the number of
--   different hole cards that the game's hands show. Damaged hands are left out.
select
  h.match_id, h.hand_index, h.hand_no, h.game, s.deal,
  if(len(h.board) >= 3, array_to_string(h.board[1:3], ''), null) as flop,
  s.cards,
  lgamma(coalesce(len(m.deck), d.deck) + 1) - s.players * lgamma(s.cards / s.players + 1)
    - lgamma(coalesce(len(m.deck), d.deck) - s.cards + 1)
    - lgamma(s.players + 1) as log_deals
from stored.hands as h
join (
  select t.match_id, deck_cards(coalesce(t.suits, g.suits), coalesce(t.ranks, g.ranks)) as deck
  from stored.matches as t
  join stored.games as g on g.game = t.game
) as m on m.match_id = h.match_id
join (
  select
    match_id, hand_index,
    list_sort(list(array_to_string(list_sort(hole), '')) filter (where len(hole) > 0)) as deal,
    cast(sum(len(hole)) as bigint) as cards,
    count(*) filter (where len(hole) > 0) as players
  from stored.seats
  group by match_id, hand_index
  having count(*) filter (where len(hole) > 0) > 1
) as s on s.match_id = h.match_id and s.hand_index = h.hand_index
left join (
  select game, greatest(count(distinct card), max(dealt)) as deck
  from (
    select h.game, unnest(s.hole) as card, h.n_players * len(s.hole) as dealt
    from stored.seats as s
    join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
    join stored.matches as m on m.match_id = s.match_id
    join stored.games as g on g.game = m.game
    where deck_cards(coalesce(m.suits, g.suits), coalesce(m.ranks, g.ranks)) is null
  )
  group by game
) as d on d.game = h.game
where h.verdict <> 'damaged'
