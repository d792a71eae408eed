-- name: faults
-- grain: fault line
-- columns:
--   match_id  UBIGINT  stored
--   hand_index  INTEGER  stored
--   file_id  UBIGINT  stored
--   line  BIGINT  stored
--   seat  TINYINT  stored
--   player  VARCHAR  stored
--   kind  VARCHAR  stored
--   text  VARCHAR  stored
-- definition: faults of bots, as the engine reported them; the engine then acts for the bot (origin 'substitute').
select match_id, hand_index, file_id, line, seat, player, kind, text
from stored.faults
