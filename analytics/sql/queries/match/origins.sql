select * from origins where among(match_id, $ids) order by match_id, seat
