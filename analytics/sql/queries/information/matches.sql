-- Matches with their players.
select m.match_id, m.event, m.game, m.players, p.namesakes, coalesce(m.unit, 1), m.hands, f.path, m.match_no,
    m.played_at
from matches as m
left join files as f on f.file_id = m.file_id
join (select match_id, list(namesake_seat order by seat) as namesakes from players group by match_id) as p
    on p.match_id = m.match_id
where ($event is null or m.event = $event) and ($ids is null or among(m.match_id, $ids))
