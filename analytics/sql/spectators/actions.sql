-- name: actions
-- grain: decision
-- columns:
--   win_prob  DOUBLE  null: it follows from the player's cards
--   line  BIGINT  within the hand, as of hands
-- definition: actions are public.
select t.* replace (cast(null as double) as win_prob, t.line - h.line as line)
from (/*seen*/) as t
join truth.hands as h on h.match_id = t.match_id and h.hand_index = t.hand_index
