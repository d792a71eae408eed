select * from lock_points where among(match_id, $ids) and hand_index is not null
