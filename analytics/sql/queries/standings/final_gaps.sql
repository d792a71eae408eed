select event, game, match_id, is_whole, abs(delta_logged - delta) as chips from final_gaps
