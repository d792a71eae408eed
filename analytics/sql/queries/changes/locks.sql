-- Of some matches the first hand before which the lead is safe.
select match_id, hand_index from lock_points where hand_index is not null and among(match_id, $ids)
