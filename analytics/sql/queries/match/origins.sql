select * from origins where list_contains($ids, match_id) order by match_id, seat
