select d.*, coalesce(w.moved, 0) as chips
from (
    select m.game, x.deviation, x.kind, count(distinct x.match_id) as matches,
        count(distinct (x.match_id, x.hand_index)) filter (where x.hand_index is not null) as hands,
        min((x.match_id, x.hand_index)) as example
    from findings x join matches m using (match_id)
    where x.deviation is not null and among(x.match_id, $ids) group by all
) d left join (
    select game, deviation, sum(moved) as moved from (
        select distinct game, match_id, deviation, moved from who_gained where among(match_id, $ids)
    ) group by all
) w using (game, deviation)
order by d.game, hands desc, d.deviation
