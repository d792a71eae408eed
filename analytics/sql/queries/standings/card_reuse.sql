select * exclude (match_ids) from card_reuse
