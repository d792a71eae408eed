-- $order: match_ids that come first, in this order; draws then follow it and not the ids.
select * exclude (place) from (
select
    e.event, e.game, e.stratum, e.lineup, e.table_unit,
    case
        when e.reset in ('match', 'duplicate match', 'card set') then 0
        when e.reset = 'hand' and m.hands > $most / n.matches
            then r.part * greatest($most // n.matches, 1) // m.hands
        else r.part
    end as part,
    e.player, e.namesake_seat as seat, chips_of(r.delta) as chips,
    min(o.place) as place
from unit_results as r
join entrants as e on e.match_id = r.match_id and e.seat = r.seat
join matches as m on m.match_id = r.match_id
join (select event, game, stratum, count(distinct match_id) as matches from entrants group by all) as n
    on n.event = e.event and n.game = e.game and n.stratum = e.stratum
left join (
    select unnest($order::ubigint[]) as match_id, generate_subscripts($order::ubigint[], 1) as place
) as o on o.match_id = e.match_id
where ($event is null or e.event = $event) and ($game is null or e.game = $game)
group by all
)
order by event, game, stratum, min(place) over (partition by event, game, stratum, table_unit), table_unit, part, lineup,
    player, seat
