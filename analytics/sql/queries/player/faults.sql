select p.event, p.game, p.player, p.namesake_seat as seat, x.kind, count(*) as lines,
    arg_min(x.match_id, (x.match_id, x.hand_index)) as match_id
from faults x join players p on p.match_id = x.match_id and p.seat = x.seat
where list_contains($ids, x.match_id) group by all order by lines desc
