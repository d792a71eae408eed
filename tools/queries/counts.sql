select f.deviation, f.kind, count(*), count(distinct (f.match_id, f.hand_index)),
  any_value(w.moved), count(*) filter (where len(list_distinct(m.players)) < len(m.players))
from stored.findings as f
join matches as m on m.match_id = f.match_id
left join (
  select deviation, sum(moved) as moved
  from (select match_id, deviation, any_value(moved) as moved from who_gained group by all) group by all
) as w on w.deviation = f.deviation
where f.verdict = 'engine_deviation'
group by f.deviation, f.kind
order by f.deviation
