-- name: actions
-- grain: decision
-- columns:
--   win_prob  DOUBLE  null: it follows from the player's cards
-- definition: actions are public.
select t.* replace (cast(null as double) as win_prob)
from (/*seen*/) as t
