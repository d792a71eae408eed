-- name: standings_as_written
-- grain: event x game x player
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   matches  BIGINT  matches played
--   hands  BIGINT  hands whose award is in the log
--   chips  DOUBLE  chips won by the log
--   chips_written  DOUBLE  chips won, every hand paid as written
--   place  BIGINT  by chips, within event and game
--   place_written  BIGINT  by chips_written
--   changes  BOOLEAN  the two places differ
--   match_id  UBIGINT  the match in which the player's payout differs most, or that of others if only theirs moves the player; else null
--   hand_index  INTEGER  the hand of that match with the largest difference; null if the place stays
-- definition: total bankroll as logged and if every hand were paid as written, with both ranks. The play of
--   the hands is assumed to be the same.
with totals as (
  select
    r.event, r.game, r.player, e.namesake_seat as seat,
    count(*) as matches, cast(sum(r.hands) as bigint) as hands,
    chips_of(r.delta) as chips, chips_of(r.delta_written) as chips_written,
    arg_max(r.match_id, (abs(r.delta - r.delta_written), r.match_id))
      filter (where r.delta <> r.delta_written) as match_id
  from results as r
  join entrants as e on e.match_id = r.match_id and e.seat = r.seat
  group by r.event, r.game, r.player, e.namesake_seat
),
placed as (
  select
    *,
    place_of(chips, event, game) as place,
    place_of(chips_written, event, game) as place_written
  from totals
)
select
  t.event, t.game, t.player, t.seat, t.matches, t.hands, t.chips, t.chips_written, t.place, t.place_written,
  t.place <> t.place_written as changes, w.match_id, w.hand_index
from placed as t
left join (
  select event, game, arg_max(match_id, (moved, match_id)) filter (where hand_index is not null) as match_id
  from winners_as_written
  group by event, game
) as most on most.event = t.event and most.game = t.game and t.place <> t.place_written
left join winners_as_written as w on w.match_id = coalesce(t.match_id, most.match_id) and w.hand_index is not null
