-- name: findings
-- grain: finding
-- columns:
--   file_id  UBIGINT  no row
-- definition: what railbird finds in a log is told to nobody during the match.
select t.*
from truth.findings as t
where false
