-- name: lineup_results
-- grain: event x game x lineup x player
-- columns:
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   lineup  UBIGINT  who sat together (view entrants)
--   player  VARCHAR  the log's own name
--   seat  TINYINT  namesake_seat of the player (view players), else null
--   matches  BIGINT  matches of the lineup
--   unfinished  BIGINT  those whose log does not end as a finished match does
--   hands  BIGINT  hands whose award the log says
--   chips  DOUBLE  what the player won in them
--   bb  DOUBLE  the same in bb
-- definition: what each player won with the same others at the table, over all matches and seatings: the cells from
--   which standings, run-off and removals are made.
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
