-- name: halves_by_match
-- grain: match x player x statistic
-- columns:
--   match_id  UBIGINT  key of the match
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   statistic  VARCHAR  its name in statistics
--   n1  DOUBLE  opportunities in the first half of the match's hands
--   k1  DOUBLE  successes there
--   n2  DOUBLE  opportunities in the second half
--   k2  DOUBLE  successes there
-- definition: the statistics that are tested for drift, in the first and the second half of a match's hands.
--   Hands after the lock point are left out, and so is Koper, whose hands are not comparable.
select
  match_id, event, game, player, seat, statistic,
  coalesce(sum(opportunities) filter (where not late), 0)::double as n1,
  coalesce(sum(successes) filter (where not late), 0)::double as k1,
  coalesce(sum(opportunities) filter (where late), 0)::double as n2,
  coalesce(sum(successes) filter (where late), 0)::double as k2
from (
  select
    c.match_id, p.event, p.game, p.player, p.namesake_seat as seat, c.statistic, c.opportunities, c.successes,
    in_second_half(c.hand_index, coalesce(l.hand_index, m.hands)) as late
  from chances_before_lock as c
  join stored.matches as m on m.match_id = c.match_id
  join players as p on p.match_id = c.match_id and p.seat = c.seat
  left join lock_points as l on l.match_id = c.match_id
  join stored.games as g on g.game = p.game
  where may_drift(c.statistic, g.simultaneous)
)
group by all
