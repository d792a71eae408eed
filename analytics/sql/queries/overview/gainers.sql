select d.match_id, d.deviation, d.seat, d.player, d.hands, d.chips, count(*) over () as in_all
from deviations d where among(d.match_id, $ids) and d.kind = 'pay' and d.chips > 0
order by d.chips desc, d.match_id, d.seat limit $audited
