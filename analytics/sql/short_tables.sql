-- name: short_tables
-- grain: hand x seat, of hands without some of the match's players
-- table: in a small store
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   seat  TINYINT  seat in the match, from 0
--   place  TINYINT  place of the position that the player has, as in positions
-- definition: hands of matches that some players have left: there the place follows from the name of the
--   position, not from the seats.
select s.match_id, s.hand_index, s.seat, p.place
from stored.hands as h
join stored.matches as m on m.match_id = h.match_id and len(m.players) > h.n_players
join stored.seats as s on s.match_id = h.match_id and s.hand_index = h.hand_index
join positions as p on p.match_id = s.match_id and p.position = s.position
