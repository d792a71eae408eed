-- name: faults
-- grain: fault line
-- columns:
--   text  VARCHAR  null, because a bot may print anything
--   line  BIGINT  line within the hand, at most that after its last action: later lines may reveal bounties
-- definition: that a bot was at fault, and how, without its words.
select t.* replace (
  cast(null as varchar) as text,
  if(h.match_id is null, 0, least(t.line - h.line, coalesce(a.line, h.line) - h.line + 1)) as line
)
from truth.faults as t
join truth.viewer as v on v.match_id = t.match_id
left join truth.hands as h on h.match_id = t.match_id and h.hand_index = t.hand_index
left join (select match_id, hand_index, max(line) as line from truth.actions group by all) as a
  on a.match_id = t.match_id and a.hand_index = t.hand_index
