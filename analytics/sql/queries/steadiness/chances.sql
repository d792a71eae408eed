select c.match_id, c.seat, p.event, p.game, p.player, c.statistic,
    c.hand_index, sum(c.opportunities)::double as n, sum(c.successes)::double as k
from chances_before_lock as c
join players as p on p.match_id = c.match_id and p.seat = c.seat
join games as g on g.game = p.game
where ($player is null or p.player = $player) and may_drift(c.statistic, g.simultaneous)
group by all
order by c.match_id, c.seat, c.statistic, c.hand_index
