-- name: files
-- grain: file that was read, by content
-- columns:
--   file_id  UBIGINT  stored
--   path  VARCHAR  stored
--   bytes  BIGINT  stored
--   dialect  VARCHAR  stored
--   revision  VARCHAR  stored
--   matches  BIGINT  stored
--   hands_seen  BIGINT  stored
--   hands_stored  BIGINT  stored
--   hands_damaged  BIGINT  stored
--   hands_rejected  BIGINT  stored
--   lines_seen  BIGINT  stored
--   lines_unknown  BIGINT  stored
--   status  VARCHAR  stored
--   reason  VARCHAR  stored
-- definition: the ledger: every file given to an ingest, read or not.
select
  file_id, path, bytes, dialect, revision, matches, hands_seen, hands_stored, hands_damaged, hands_rejected,
  lines_seen, lines_unknown, status, reason
from stored.files
