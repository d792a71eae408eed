select t.*, label from tendencies_by_match t join statistics using (statistic)
where among(match_id, $ids) order by match_id, place, seat
