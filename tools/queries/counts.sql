select '`' || replace(f.deviation, '+', '` + `') || '`' as deviation,
  max(coalesce(k.kind, f.kind)) as kind, count(*) as findings, count(distinct (f.match_id, f.hand_index)) as hands,
  any_value(w.moved) as "chips moved",
  count(*) filter (where len(list_distinct(m.players)) < len(m.players)) as "findings in matches of one name"
from stored.findings as f
join matches as m on m.match_id = f.match_id
left join (
  select deviation, sum(moved) as moved
  from (select match_id, deviation, any_value(moved) as moved from who_gained group by all) group by all
) as w on w.deviation = f.deviation
left join kinds as k on k.deviation = split_part(f.deviation, '+', 1)
where f.verdict = 'engine_deviation'
group by f.deviation
order by f.deviation
