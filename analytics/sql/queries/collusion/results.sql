select match_id, seat, sum(delta) from seats where among(match_id, $ids) group by all
