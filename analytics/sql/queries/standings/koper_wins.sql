select event, game, player, seat, wins,
    rank() over (partition by event, game order by wins desc, chips desc) as rank_by_wins
from (
    select e.event, e.game, e.player, e.namesake_seat as seat, round(sum(s.win_share), 9) as wins,
        chips_of(s.delta) as chips
    from entrants e join stored.seats s on s.match_id = e.match_id and s.seat = e.seat
    join games as g on g.game = e.game and g.win_cap is not null group by all
)
