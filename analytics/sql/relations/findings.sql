-- name: findings
-- grain: finding
-- columns:
--   match_id  UBIGINT  stored
--   hand_index  INTEGER  stored
--   seq  SMALLINT  stored
--   file_id  UBIGINT  stored
--   line  BIGINT  stored
--   seat  TINYINT  stored
--   player  VARCHAR  stored
--   rule  VARCHAR  stored
--   kind  VARCHAR  stored
--   verdict  VARCHAR  stored
--   deviation  VARCHAR  stored
--   expected  VARCHAR  stored
--   logged  VARCHAR  stored
--   chips  DOUBLE  stored
--   message  VARCHAR  stored
-- definition: every difference between the log and the rules, each with the line that shows it.
select
  match_id, hand_index, seq, file_id, line, seat, player, rule, kind, verdict, deviation, expected, logged, chips,
  message
from stored.findings
