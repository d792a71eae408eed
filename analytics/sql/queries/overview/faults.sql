select p.event, p.game, p.player, p.namesake_seat as seat, x.kind, sum(x.lines)::bigint as lines,
    count(distinct x.match_id) as matches,
    arg_min((x.match_id, x.hand_index), list_position($ids, x.match_id)) filter (where x.hand_index is not null)
        as example
from (
    select f.match_id, f.seat, f.kind, count(*) as lines,
        min(f.hand_index) filter (where f.hand_index < m.hands) as hand_index
    from faults f join matches m using (match_id)
    where among(f.match_id, $ids) group by all
) x left join players p on p.match_id = x.match_id and p.seat = x.seat
group by all order by lines desc, p.event, p.player, x.kind
