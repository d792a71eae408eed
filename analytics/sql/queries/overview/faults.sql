select p.event, p.game, p.player, p.namesake_seat as seat, x.kind, count(*) as lines,
    count(distinct x.match_id) as matches,
    min((x.match_id, x.hand_index)) filter (where x.hand_index < m.hands) as example
from faults x join matches m using (match_id) left join players p on p.match_id = x.match_id and p.seat = x.seat
where list_contains($ids, x.match_id) group by all order by lines desc, p.event, p.player, x.kind
