-- name: luck_terms
-- grain: hand x seat
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   seat  TINYINT  seat in the match, from 0
--   cluster  BIGINT  number in the match of the independent unit: in Bounty the block of 25 rounds, in Koper 0, hand_no in ACPC games, else the hand
--   delta  DOUBLE  chips won, as logged
--   all_in  DOUBLE  chips from cards after which nobody could bet
--   folded  BOOLEAN  the hand ended by a fold, in some engines even after an all-in
--   deal  DOUBLE  chips from the luck of the other cards: the hole cards
--   flop  DOUBLE  the flop
--   turn  DOUBLE  the turn
--   river  DOUBLE  the river, and the run
--   flop_free  DOUBLE  flop x the part of the stack that was not in the pot
--   turn_free  DOUBLE  the same of the turn
--   river_free  DOUBLE  the same of the river
--   flop_small  DOUBLE  flop x bb / (bb + the chips that the seat had put in)
--   turn_small  DOUBLE  the same of the turn
--   river_small  DOUBLE  the same of the river
--   published  DOUBLE  the luck-adjusted result that the log itself prints; null if it prints none
-- definition: the sum of what each card did to the chips that the seat could expect: value - value_before of the
--   relation equities. Its mean over all cards that could have come is 0. Hands without an award in the log are
--   left out. A hand without equities has zeros.
-- unseen: luck is the effect of the cards on all hands; hidden hands would count as 0 and bias the adjusted winnings
select
  s.match_id, s.hand_index, s.seat,
  cast(unit_of(g.cluster, g.cluster_hands, g.shared_cards, s.hand_index, coalesce(r.hand_no, f.hand_no + s.hand_index)) as bigint) as cluster,
  s.delta,
  coalesce(e.all_in, 0) as all_in,
  coalesce(z.ended_by = 'fold', false) as folded,
  coalesce(e.deal, 0) as deal,
  coalesce(e.flop, 0) as flop,
  coalesce(e.turn, 0) as turn,
  coalesce(e.river, 0) as river,
  coalesce(e.flop_free, 0) as flop_free,
  coalesce(e.turn_free, 0) as turn_free,
  coalesce(e.river_free, 0) as river_free,
  coalesce(e.flop_small, 0) as flop_small,
  coalesce(e.turn_small, 0) as turn_small,
  coalesce(e.river_small, 0) as river_small,
  s.published_adjusted as published
from stored.seats as s
join stored.matches as m on m.match_id = s.match_id
join stored.games as g on g.game = m.game
join (select match_id, hand_no from stored.hands where hand_index = 0) as f on f.match_id = s.match_id
join stored.hands as z on z.match_id = s.match_id and z.hand_index = s.hand_index
left join renumbered as r on r.match_id = s.match_id and r.hand_index = s.hand_index
left join (
  select
    match_id, hand_index, seat,
    sum(chips) filter (where all_in) as all_in,
    sum(chips) filter (where not all_in and street = 0) as deal,
    sum(chips) filter (where not all_in and street = 1) as flop,
    sum(chips) filter (where not all_in and street = 2) as turn,
    sum(chips) filter (where not all_in and street > 2) as river,
    sum(chips * free) filter (where not all_in and street = 1) as flop_free,
    sum(chips * free) filter (where not all_in and street = 2) as turn_free,
    sum(chips * free) filter (where not all_in and street > 2) as river_free,
    sum(chips * small) filter (where not all_in and street = 1) as flop_small,
    sum(chips * small) filter (where not all_in and street = 2) as turn_small,
    sum(chips * small) filter (where not all_in and street > 2) as river_small
  from (
    select
      e.match_id, e.hand_index, e.seat, e.street, e.all_in,
      e.value - e.value_before as chips,
      coalesce(greatest(1 - e.stake / coalesce(q.stack_start, n.starting_stacks[e.seat + 1]), 0), 1) as free,
      n.unit / (n.unit + greatest(e.stake, 0)) as small
    from equities as e
    join stored.seats as q on q.match_id = e.match_id and q.hand_index = e.hand_index and q.seat = e.seat
    join stored.matches as n on n.match_id = e.match_id
  )
  group by all
) as e on e.match_id = s.match_id and e.hand_index = s.hand_index and e.seat = s.seat
where s.delta is not null
