-- The matches of an event and game with the player of each seat.
select m.match_id, m.hands, f.path, m.match_no, p.seat, p.player, p.namesake_seat, m.played_at
from stored.matches as m
left join files as f on f.file_id = m.file_id
join players as p on p.match_id = m.match_id
where m.event = $event and m.game = $game
order by m.match_id, p.seat
