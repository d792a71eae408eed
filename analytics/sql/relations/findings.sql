-- name: findings
-- grain: finding
-- columns:
--   (stored)
-- definition: every difference between the log and the rules, each with the line that shows it.
select /*stored*/
from stored.findings
