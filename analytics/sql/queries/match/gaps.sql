select * from final_gaps where among(match_id, $ids) order by match_id, seat
