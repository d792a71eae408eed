select match_id, seat, sum(delta) from seats where list_contains($ids, match_id) group by all
