-- name: fold_frequency_by_match
-- grain: match x seat x street x position
-- columns:
--   match_id  UBIGINT  key of the match
--   seat  TINYINT  place in the match, from 0
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   player  VARCHAR  the log's own name
--   opponent  VARCHAR  the name across the table
--   namesake_seat  TINYINT  the seat where the match holds the name twice, else null
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river
--   position  VARCHAR  place in the hand: SB (heads-up the dealer), BB
--   opportunities  BIGINT  decisions facing a bet
--   successes  BIGINT  folds among them
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate
--   high  DOUBLE  upper end
-- definition: fold_frequency, match by match. Damaged hands are left out.
select
  n.match_id, n.seat, p.event, p.game, p.player, p.opponent, p.namesake_seat, n.street, n.position,
  opportunities, successes,
  rate_of(successes, opportunities) as rate,
  wilson_low(successes, opportunities) as low,
  wilson_high(successes, opportunities) as high
from (
  select
    a.match_id, a.seat, a.street, s.position,
    count(*) as opportunities,
    count(*) filter (where a.action = 'fold') as successes
  from stored.actions as a
  join stored.seats as s on s.match_id = a.match_id and s.hand_index = a.hand_index and s.seat = a.seat
  anti join damaged_hands as d on d.match_id = a.match_id and d.hand_index = a.hand_index
  where a.to_call > 0 and a.origin = 'choice'
  group by a.match_id, a.seat, a.street, s.position
) as n
join players as p on p.match_id = n.match_id and p.seat = n.seat
