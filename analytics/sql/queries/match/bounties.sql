select * from bounty_hits_by_match where list_contains($ids, match_id) order by match_id, seat
