-- name: tags
-- grain: match x tag
-- left_out: tagged_at
-- columns:
--   match_id  UBIGINT  stored
--   tag  VARCHAR  stored
--   value  VARCHAR  stored
-- definition: what the user says of a match (`ingest --tag`, `railbird tag`). Each tag of the store is a column of
--   matches, hands, seats and players as well.
select match_id, tag, value
from (
  select match_id, tag, value, row_number() over (partition by match_id, tag order by tagged_at desc) as place
  from stored.tags
)
where place = 1 and value is not null and match_id in (select match_id from stored.matches)
