-- name: winners_as_written
-- grain: match
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   match_id  UBIGINT  key of the match
--   winners  VARCHAR[]  players with most chips won, as logged
--   winner_seats  TINYINT[]  their seats
--   winners_written  VARCHAR[]  the winners if every hand were paid as written
--   winner_seats_written  TINYINT[]  their seats
--   margin  DOUBLE  chips between the first and the next by the log
--   margin_written  DOUBLE  the same as written
--   moved  DOUBLE  chips moved against the written rules: the larger of all gains and all losses, hand by hand
--   unpriced_hands  BIGINT  hands whose payout cannot be checked; their logged payout counts
--   changes  BOOLEAN  the seats differ
--   hand_index  INTEGER  the hand with the largest difference; null if there is none
-- definition: whether the winner would change if hands were paid as written. The play of the hands is assumed
--   to be the same, although a bot paid as written might have played later hands differently, and in Koper
--   with other stacks.
with ranked as (
  select
    *,
    rank() over (partition by match_id order by delta desc) as place,
    rank() over (partition by match_id order by delta_written desc) as place_written
  from results
),
chips_moved as (
  select match_id, sum(moved) as moved, arg_max(hand_index, (moved, -hand_index)) as hand_index
  from (
    select
      s.match_id, s.hand_index,
      moved_by(s.written_off) as moved
    from stored.seats as s
    join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
    where s.written_off <> 0 and h.verdict <> 'damaged'
    group by s.match_id, s.hand_index
  )
  group by match_id
)
select
  any_value(r.event) as event, any_value(r.game) as game, r.match_id,
  list(r.player order by r.seat) filter (where r.place = 1) as winners,
  list(r.seat order by r.seat) filter (where r.place = 1) as winner_seats,
  list(r.player order by r.seat) filter (where r.place_written = 1) as winners_written,
  list(r.seat order by r.seat) filter (where r.place_written = 1) as winner_seats_written,
  max(r.delta) - list_sort(list(r.delta), 'DESC')[2] as margin,
  max(r.delta_written) - list_sort(list(r.delta_written), 'DESC')[2] as margin_written,
  coalesce(any_value(v.moved), 0) as moved,
  max(r.unpriced_hands) as unpriced_hands,
  winner_seats <> winner_seats_written as changes,
  any_value(v.hand_index) as hand_index
from ranked as r
left join chips_moved as v on v.match_id = r.match_id
group by r.match_id
