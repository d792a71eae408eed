-- name: hands
-- grain: hand of a match the viewer sat in
-- columns:
--   undealt  VARCHAR[]  null: cards that nobody saw
-- definition: all else of a hand is public.
select t.* replace (cast(null as varchar[]) as undealt)
from truth.hands as t
join truth.viewer as v on v.match_id = t.match_id
