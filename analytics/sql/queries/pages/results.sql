select r.*, p.namesake_seat, len(m.players) as at_table,
    delta > 0 and delta = max(delta) over (partition by match_id) as won
from results r join players p using (match_id, seat) join matches m using (match_id)
where among(match_id, $ids) order by list_position($ids, match_id), seat
