-- The $most hands in which each player lost most, in bb; the pot is what could be won. Matches without a big blind are left out.
select p.event, p.game, p.player, p.namesake_seat, s.match_id, s.hand_index, s.delta / m.unit as bb,
    pots.played_for / m.unit as pot
from (
    select match_id, hand_index, seat, delta from seats
    where delta < 0 and among(match_id, $ids)
) s
join players p using (match_id, seat)
join matches m using (match_id)
join hands h using (match_id, hand_index)
join pots using (match_id, hand_index)
where h.verdict <> 'damaged' and m.unit is not null and among(pots.match_id, $ids)
qualify row_number() over (
    partition by p.event, p.game, p.player, p.namesake_seat
    order by s.delta / m.unit, list_position($ids, s.match_id), s.hand_index
) <= $most
order by p.event, p.game, p.player, p.namesake_seat, bb, list_position($ids, s.match_id), s.hand_index
