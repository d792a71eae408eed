select f.path, h.line, m.line as match_line, h.match_id, h.hand_index, h.hand_no, h.verdict
from hands h join matches m using (match_id) join files f on f.file_id = m.file_id
where h.verdict in ('violation', 'damaged')
order by h.verdict = 'damaged', f.path, h.line
limit 1
