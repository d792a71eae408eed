select x.match_id, hand_index, list(json_array(if(x.file_id = m.file_id, x.line, null), seat, kind, text)
    order by x.line)
from faults x join matches m using (match_id)
