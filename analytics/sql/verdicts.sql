-- name: verdicts
-- grain: match x verdict
-- columns:
--   match_id  UBIGINT  key of the match
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   verdict  VARCHAR  ok, engine_deviation, violation, damaged, unverified
--   hands  BIGINT  hands of that verdict
-- definition: the verdicts of the hands; a verdict that no hand has gets no row.
select h.match_id, m.event, m.game, h.verdict, count(*) as hands
from stored.hands as h
join matches as m on m.match_id = h.match_id
group by all
