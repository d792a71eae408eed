-- name: faults
-- grain: fault line about the viewer
-- columns:
--   text  VARCHAR  no row is about others
-- definition: nobody is told what another's bot did wrong.
select t.*
from truth.faults as t
join truth.viewer as v on v.match_id = t.match_id and v.seat = t.seat
