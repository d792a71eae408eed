select m.match_id, coalesce(m.duplicate_group, m.match_id)
from matches as m
where among(m.match_id, $ids)
