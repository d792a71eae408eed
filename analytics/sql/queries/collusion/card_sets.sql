select m.match_id, coalesce(m.duplicate_group, m.match_id)
from matches as m
where list_contains($ids, m.match_id)
