select p.event, p.game, p.player, p.namesake_seat as seat, x.kind, sum(x.lines)::bigint as lines,
    arg_min(x.match_id, list_position($ids, x.match_id)) as match_id
from (select match_id, seat, kind, count(*) as lines from faults where among(match_id, $ids) group by all) x
join players p on p.match_id = x.match_id and p.seat = x.seat
group by all order by lines desc, x.kind
