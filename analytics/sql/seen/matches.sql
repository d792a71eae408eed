-- name: matches
-- grain: match the viewer sat in
-- columns:
--   seed  BIGINT  null: it would give away the cards
--   permutation  VARCHAR[]  null: players do not see it
-- definition: the matches of the viewer.
select t.* replace (cast(null as bigint) as seed, cast(null as varchar[]) as permutation)
from truth.matches as t
join truth.viewer as v on v.match_id = t.match_id
