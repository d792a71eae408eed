-- name: changes
-- grain: change of hole cards that the viewer saw
-- columns:
--   cards  VARCHAR[]  of others: only those given up, which join the board
-- definition: cards swapped or won in an auction are told to their player alone.
select t.*
from truth.changes as t
join truth.viewer as v on v.match_id = t.match_id
where t.kind = 'discard' or t.seat = v.seat
