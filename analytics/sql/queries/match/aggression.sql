select * from aggression_by_match where among(match_id, $ids) order by match_id, seat
