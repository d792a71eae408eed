-- name: files
-- grain: file that was read, by content
-- columns:
--   (stored)
-- definition: the ledger: every file given to an ingest, read or not.
select /*stored*/
from stored.files
