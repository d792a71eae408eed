select * from final_gaps where list_contains($ids, match_id) order by match_id, seat
