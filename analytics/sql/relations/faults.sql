-- name: faults
-- grain: fault line
-- columns:
--   (stored)
-- definition: faults of bots, as the engine reported them; the engine then acts for the bot (origin 'substitute').
select /*stored*/
from stored.faults
