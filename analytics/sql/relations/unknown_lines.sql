-- name: unknown_lines
-- grain: line that matches no known format, or rejected hand
-- columns:
--   (stored)
-- definition: lines of the logs that no other table holds.
select /*stored*/
from stored.unknown_lines
