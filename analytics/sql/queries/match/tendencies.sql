select t.*, label from tendencies_by_match t join statistics using (statistic)
where list_contains($ids, match_id) order by match_id, place, seat
