-- name: players
-- grain: match x seat
-- table: in all stores
-- columns:
--   match_id  UBIGINT  key of the match
--   seat  TINYINT  seat in the match, from 0
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   opponent  VARCHAR  name of the opponent; several names are joined by ' + '
--   namesake_seat  TINYINT  if the match has the name twice, the seat (Koper: the place in the first match), else null
--   unit  DOUBLE  chips per bb
-- definition: the player of each seat. A player is (event, game, name), and also namesake_seat where one match
--   holds the name twice; views over several matches call that column seat. The seats of a Koper tournament rotate,
--   so namesake_seat is the place in its first match. A match outside a tournament is its own first match.
select
  m.match_id, p.seat, m.event, m.game,
  m.players[p.seat + 1] as player,
  array_to_string(list_sort(m.players[1:p.seat] || m.players[p.seat + 2:]), ' + ') as opponent,
  namesake_seat_of(g.seats_rotate, m.players, p.seat, m.seating) as namesake_seat,
  m.unit
from matches as m
join stored.games as g on g.game = m.game
cross join lateral (select cast(unnest(range(len(m.players))) as tinyint) as seat) as p
