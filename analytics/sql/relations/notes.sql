-- name: notes
-- grain: decision that a player said more of
-- columns:
--   (stored)
-- definition: what players thought, took and claimed beside their decisions; others were not told.
select /*stored*/
from stored.notes
