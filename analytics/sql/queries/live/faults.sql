-- The last $most faults and violations of some matches; $ids are these matches in the order of play.
with ordered as (
  select unnest($ids) as match_id, unnest(range(len($ids))) as place
)
select o.place, x.match_id, x.hand_index, x.line, x.player, x.kind, x.said, f.path
from (
  select match_id, file_id, hand_index, line, player, kind, text as said from faults
  union all
  select match_id, file_id, hand_index, line, player, rule, message from findings where verdict = 'violation'
) as x
join ordered as o on o.match_id = x.match_id
left join files as f on f.file_id = x.file_id
order by o.place desc, x.hand_index desc, x.line desc, x.kind, x.player
limit $most
