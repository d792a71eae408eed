-- name: files
-- grain: version of a file that holds a match the viewer sat in
-- columns:
--   file_id  UBIGINT  nothing is hidden
-- definition: where the matches come from.
select t.*
from truth.files as t
where t.file_id in (select m.file_id from truth.matches as m join truth.viewer as v on v.match_id = m.match_id)
