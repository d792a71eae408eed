select r.*, namesake_seat from results r join players p using (match_id, seat)
where among(match_id, $ids) order by match_id, seat
