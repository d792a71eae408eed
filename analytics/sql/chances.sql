-- name: chances
-- suffixes: before_lock
-- grain: hand x seat x statistic, in Blotto x board
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   seat  TINYINT  seat in the match, from 0
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   opponent  VARCHAR  name of the opponent
--   position  VARCHAR  place in this hand
--   statistic  VARCHAR  its name in statistics
--   opportunities  BIGINT  1
--   successes  BIGINT  1 if the opportunity was taken, else 0
--   board_no  TINYINT  the board
-- definition: one row where a player had the opportunity that statistics describes, so that any rate is
--   sum(successes) / sum(opportunities). Damaged hands are left out.
select
  s.match_id, s.hand_index, s.seat, p.event, p.game, p.player, p.opponent, s.position, s.statistic,
  cast(1 as bigint) as opportunities,
  s.successes,
  s.board_no
from (
  select
    g.match_id, g.hand_index, g.seat, g.position, g.board_no, t.statistic,
    cast(g.flags & flag_bit(t.success_flag) <> 0 as bigint) as successes
  from (
    select s.match_id, s.hand_index, s.seat, s.position, cast(null as tinyint) as board_no, s.flags
    from stored.seats as s
    join match_starts as m on m.match_id = s.match_id
    where m.is_holdem and m.boards = 1
    union all
    select match_id, hand_index, seat, position, board_no, flags
    from blotto_flags
  ) as g
  join statistics as t on g.flags & flag_bit(t.opportunity_flag) = flag_bit(t.opportunity_flag)
  where t.success_flag is not null
  union all
  select match_id, hand_index, seat, position, null, statistic, successes
  from (/*counted*/)
) as s
join players as p on p.match_id = s.match_id and p.seat = s.seat
anti join damaged_hands as d on d.match_id = s.match_id and d.hand_index = s.hand_index
/*before_lock join match_starts as f on f.match_id = s.match_id and f.counted > s.hand_index */
