select * from lock_points where list_contains($ids, match_id) and hand_index is not null
