select f.path, x.line, x.match_id, x.hand_index, x.player, x.rule, x.kind, x.message,
    x.expected, x.logged, x.chips
from findings x left join files f using (file_id)
where x.verdict = 'violation' and among(x.match_id, $ids)
order by f.path, x.line, x.match_id, x.hand_index, x.seq
