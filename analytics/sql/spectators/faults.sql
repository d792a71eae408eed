-- name: faults
-- grain: fault line
-- columns:
--   text  VARCHAR  null: what a bot printed may be anything
-- definition: that a bot was at fault, and how, without its words.
select t.* replace (cast(null as varchar) as text)
from truth.faults as t
join truth.viewer as v on v.match_id = t.match_id
