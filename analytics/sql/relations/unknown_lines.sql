-- name: unknown_lines
-- grain: line that matches no known format, or rejected hand
-- columns:
--   file_id  UBIGINT  stored
--   line  BIGINT  stored
--   text  VARCHAR  stored
--   reason  VARCHAR  stored
-- definition: lines of the logs that no other table holds.
select file_id, line, text, reason
from stored.unknown_lines
