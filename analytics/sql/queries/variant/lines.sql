select f.path, u.line, u.text, u.reason,
  (select list_distinct(flatten(list(m.players))) from matches m where m.file_id = u.file_id) as players
from unknown_lines u join files f using (file_id)
order by f.path, u.line
