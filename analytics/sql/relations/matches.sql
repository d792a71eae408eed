-- name: matches
-- grain: match
-- columns:
--   match_id  UBIGINT  stored
--   file_id  UBIGINT  stored
--   match_no  INTEGER  stored
--   event  VARCHAR  stored
--   game  VARCHAR  stored
--   dialect  VARCHAR  stored
--   engine_profile  VARCHAR  stored
--   players  VARCHAR[]  stored
--   hands  INTEGER  stored
--   starting_stacks  DOUBLE[]  stored
--   blinds  DOUBLE[]  stored
--   buy_in  DOUBLE  stored
--   unit  DOUBLE  stored
--   seed  BIGINT  stored
--   card_set  UBIGINT  stored
--   seating  SMALLINT  stored
--   duplicate_group  UBIGINT  stored
--   complete  BOOLEAN  stored
--   logged_final  DOUBLE[]  stored
--   line  BIGINT  stored
--   played_at  VARCHAR  stored
--   engine_profiles  VARCHAR[]  stored
--   permutation  VARCHAR[]  stored
-- definition: the header and the end of each match, and the engine that explains it.
select
  match_id, file_id, match_no, event, game, dialect, engine_profile, players, hands, starting_stacks, blinds,
  buy_in, unit, seed, card_set, seating, duplicate_group, complete, logged_final, line, played_at,
  engine_profiles, permutation
from stored.matches
