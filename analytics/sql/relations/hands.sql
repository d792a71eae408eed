-- name: hands
-- grain: hand
-- left_out: card_lines
-- columns:
--   match_id  UBIGINT  stored
--   hand_index  INTEGER  stored
--   hand_no  BIGINT  stored
--   line  BIGINT  stored
--   game  VARCHAR  stored
--   dealer_seat  TINYINT  stored
--   n_players  TINYINT  stored
--   streets  TINYINT  stored
--   ended_by  VARCHAR  stored
--   pot  DOUBLE  derived: chips that all players put in, the sum of seats.contribution, with a last bet that nobody called; what could be won is pots.played_for
--   board  VARCHAR[]  stored
--   (stored)
-- definition: how each hand went, and its verdict.
select
  h.match_id, h.hand_index, h.hand_no, h.line, h.game, h.dealer_seat, h.n_players, h.streets, h.ended_by,
  p.pot, h.board, /*stored*/
from stored.hands as h
left join (
  select match_id, hand_index, sum(contribution) as pot
  from stored.seats
  group by match_id, hand_index
) as p on p.match_id = h.match_id and p.hand_index = h.hand_index
