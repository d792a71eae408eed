select r.*, namesake_seat from results r join players p using (match_id, seat)
where list_contains($ids, match_id) order by match_id, seat
