-- How each game is read: games with simultaneous bets, games with one board and unchanging hole cards (betting), and
-- others whose outcomes may be counted. Only hands before a bot
-- disconnected are analysed: from then on the engine plays for it. So are only hands before a player had no chips left
-- in games that carry stacks over: detectors compare hands with all players of the match. Matches in which a player
-- failed (disconnected, was gone, or was late in one hand of a hundred) have its seat: they are compared with nothing.
with fewer as (
    select h.match_id, min(h.hand_index) as hand_index
    from stored.hands as h join stored.matches as m on m.match_id = h.match_id and h.n_players < len(m.players)
    group by all
),
gone_seats as (
    select match_id, seat, coalesce(max(hand_index) filter (where origin = 'choice'), -1) as chosen,
        max(hand_index) filter (where origin = 'substitute') as replaced
    from stored.actions
    group by all
    having replaced > chosen
),
gone as (select match_id, min(chosen) + 1 as hand_index from gone_seats group by match_id),
failed as (
    select match_id, min(seat) as seat
    from (
        select f.match_id, f.seat
        from faults as f join matches as m on m.match_id = f.match_id
        where f.kind in ('late', 'disconnected')
        group by f.match_id, f.seat, m.hands
        having bool_or(f.kind = 'disconnected') or count(distinct f.hand_index) * 100 >= m.hands
        union all select match_id, seat from gone_seats
    )
    group by match_id
)
select m.match_id, m.event, m.game, m.players, if(r.simultaneous, m.hands, least(m.hands, g.hand_index, f.hand_index)),
    m.unit, p.namesakes, m.hands,
    case
        when r.simultaneous then 'simultaneous'
        when r.boards = 1 and r.holes_used is null
            and not (r.runs or r.permutes or r.swaps or r.auctions or r.discards or r.throws
                or r.passes or r.redraws or r.own_order) then 'betting'
        else 'counted'
    end,
    d.seat, f0.path, m.match_no, m.played_at
from matches as m
left join files as f0 on f0.file_id = m.file_id
join games as r on r.game = m.game
left join gone as g on g.match_id = m.match_id
left join fewer as f on f.match_id = m.match_id
left join failed as d on d.match_id = m.match_id
join (select match_id, list(namesake_seat order by seat) as namesakes from players group by match_id) as p
    on p.match_id = m.match_id
where $event is null or m.event = $event
order by m.event, m.game, m.match_id
