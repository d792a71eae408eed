-- name: notes
-- grain: decision of the viewer
-- columns:
--   text  VARCHAR  no row is of others
-- definition: a player sees only its own notes.
select t.*
from truth.notes as t
join truth.viewer as v on v.match_id = t.match_id and v.seat = t.seat
