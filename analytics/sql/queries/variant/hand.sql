select x.line, x.player, x.message, x.expected, x.logged
from findings x
where x.match_id = $match and x.hand_index = $hand and x.verdict in ('violation', 'damaged')
order by x.line, x.seq
