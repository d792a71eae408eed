select x.rule, x.kind, x.verdict, count(distinct (x.match_id, x.hand_index)) as hands, arg_min(f.path, x.line) as path,
  min(x.line) as line
from findings x join files f using (file_id)
where x.verdict in ('violation', 'damaged', 'unverified')
group by all
order by hands desc, x.rule
