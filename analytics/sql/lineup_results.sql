-- name: lineup_results
-- grain: event x game x lineup x player
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   lineup  UBIGINT  the players at the table (view entrants)
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   matches  BIGINT  matches of the lineup
--   unfinished  BIGINT  matches whose log does not end like that of a finished match
--   hands  BIGINT  hands whose award is in the log
--   chips  DOUBLE  chips that the player won in them
--   bb  DOUBLE  the same in bb
-- definition: what each player won with the same others at the table, over all matches and seatings: the cells from
--   which standings, run-off and removals are computed.
select
  e.event, e.game, e.lineup, e.player, e.namesake_seat as seat,
  count(distinct e.match_id) as matches,
  count(distinct e.match_id) filter (where not coalesce(m.complete, false)) as unfinished,
  cast(coalesce(sum(r.hands), 0) as bigint) as hands,
  coalesce(chips_of(r.delta), 0) as chips,
  coalesce(sum(r.delta / e.unit), 0) as bb
from entrants as e
join matches as m on m.match_id = e.match_id
left join (
  select match_id, seat, count(*) as hands, sum(delta) as delta
  from stored.seats
  where delta is not null
  group by match_id, seat
) as r on r.match_id = e.match_id and r.seat = e.seat
group by all
