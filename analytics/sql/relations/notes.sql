-- name: notes
-- grain: decision that a player said more of
-- columns:
--   (stored)
-- definition: thoughts, times and claims of players about their decisions, which the other players did not
--   see.
select /*stored*/
from stored.notes
