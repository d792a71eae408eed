select f.path, min(x.line) as line, x.match_id, x.expected as rule, x.logged as hands,
    coalesce(bool_or(w.pay), false) as pay
from findings x left join files f using (file_id)
left join (
    select match_id, rule, bool_or(kind = 'pay') as pay from findings group by all
) w on w.match_id = x.match_id and w.rule = x.expected
where x.rule = 'other-game' and among(x.match_id, $ids)
group by f.path, x.match_id, x.expected, x.logged order by f.path, line, x.match_id
