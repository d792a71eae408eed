-- name: ledger
-- grain: status of files
-- columns:
--   status  VARCHAR  ok, partial, sidecar, ignored, rejected, reopened
--   files  BIGINT  of that status
--   bytes  BIGINT  decompressed
--   matches  BIGINT  stored
--   hands_seen  BIGINT  hands_stored + hands_rejected
--   hands_stored  BIGINT  hands in the store
--   hands_damaged  BIGINT  among the stored
--   hands_rejected  BIGINT  each with its reason in unknown_lines
--   lines_seen  BIGINT  blank lines included
--   lines_unknown  BIGINT  lines that match no known format, each in unknown_lines
-- definition: counts of files by status; the relation files has each file.
select
  status,
  count(*) as files,
  cast(sum(bytes) as bigint) as bytes,
  cast(sum(matches) as bigint) as matches,
  cast(sum(hands_seen) as bigint) as hands_seen,
  cast(sum(hands_stored) as bigint) as hands_stored,
  cast(sum(hands_damaged) as bigint) as hands_damaged,
  cast(sum(hands_rejected) as bigint) as hands_rejected,
  cast(sum(lines_seen) as bigint) as lines_seen,
  cast(sum(lines_unknown) as bigint) as lines_unknown
from files
group by status
