select x.deviation, max(coalesce(k.kind, x.kind)) as kind, count(*) as findings, count(distinct (x.match_id, x.hand_index)) as hands,
    round(coalesce(any_value(w.moved), 0), 2) as chips
from findings as x
left join (
  select deviation, sum(moved) as moved
  from (select match_id, deviation, any_value(moved) as moved from who_gained group by all)
  group by deviation
) as w on w.deviation = x.deviation
left join kinds as k on k.deviation = split_part(x.deviation, '+', 1)
where x.verdict = 'engine_deviation'
group by x.deviation
order by x.deviation
