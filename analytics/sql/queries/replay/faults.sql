select x.*, if(x.file_id = m.file_id, null, f.path) as elsewhere
from faults x join matches m using (match_id) left join files f on f.file_id = x.file_id
where x.match_id = $match and x.hand_index = $hand order by x.line
