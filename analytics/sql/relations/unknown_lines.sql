-- name: unknown_lines
-- grain: line that no template accepts, and hand that was rejected
-- columns:
--   file_id  UBIGINT  stored
--   line  BIGINT  stored
--   text  VARCHAR  stored
--   reason  VARCHAR  stored
-- definition: lines of the logs that the other tables do not hold.
select file_id, line, text, reason
from stored.unknown_lines
