-- name: final_gaps
-- grain: match x seat of which the final line says another result than the hands
-- columns:
--   match_id  UBIGINT  key of the match
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   seat  TINYINT  place in the match, from 0
--   player  VARCHAR  the log's own name
--   delta  DOUBLE  chips won by the awards of all hands
--   delta_logged  DOUBLE  chips won by the log's final line
--   hands_without_award  BIGINT  hands of the match whose award the log does not say
-- definition: where a log lacks awards, or whole hands, winnings are those of the others: `results`, standings and rates
--   leave them out. Koper's final line tells stacks, not winnings, and is no part of it.
select
  r.match_id, r.event, r.game, r.seat, r.player, r.delta, m.logged_final[r.seat + 1] as delta_logged,
  m.hands - r.hands as hands_without_award
from results as r
join stored.matches as m on m.match_id = r.match_id
where r.game <> 'koper' and abs(r.delta - m.logged_final[r.seat + 1]) > 0.01
