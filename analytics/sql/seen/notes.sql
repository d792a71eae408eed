-- name: notes
-- grain: decision of the viewer
-- columns:
--   text  VARCHAR  no row is of others
-- definition: nobody is told what another player thinks.
select t.*
from truth.notes as t
join truth.viewer as v on v.match_id = t.match_id and v.seat = t.seat
