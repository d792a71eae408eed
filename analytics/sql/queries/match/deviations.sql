select d.*, first_hand from deviations d join (
    select match_id, seat, deviation, min(hand_index) as first_hand from findings group by all
) f on f.match_id = d.match_id and f.seat is not distinct from d.seat and f.deviation = d.deviation
where among(d.match_id, $ids) order by d.match_id, hands desc, d.deviation, d.seat
