-- name: moves
-- grain: own decision x word for it
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   board_no  TINYINT  number of the board in games of several boards; else null
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run; Koper: the round, from 1
--   seat  TINYINT  seat in the match, from 0
--   move  VARCHAR  an action of the game (games.decisions), or check-raise 3bet limp cbet
-- definition: the words that `railbird hands --did` accepts, by decision. A check-raise is a raise after a
--   check on the same street, even if the engine made the check for the player. A limp is a call of the big
--   blind before anybody has raised, from any position (the statistic limp counts the small blind's alone).
--   3-bets and c-bets are those of the statistics: a c-bet on turn or river needs one on the street before.
--   Only own choices count. Damaged hands are included.
select match_id, hand_index, board_no, street, seat, action as move
from actions
where origin = 'choice'
union all
select match_id, hand_index, board_no, street, seat, 'check-raise'
from (
  select
    match_id, hand_index, board_no, street, seat, action, origin,
    bool_or(action = 'check') over (
      partition by match_id, hand_index, board_no, street, seat
      order by seq
      rows between unbounded preceding and 1 preceding
    ) as has_checked
  from actions
)
where action = 'raise' and origin = 'choice' and has_checked
union all
select a.match_id, a.hand_index, a.board_no, a.street, a.seat, 'limp'
from actions as a
join stored.hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
join stored.games as g on g.game = h.game and g.forced = 'blinds'
where a.origin = 'choice' and a.action = 'call' and a.street = 0 and a.bet_level = 1
union all
select f.match_id, f.hand_index, f.board_no, w.street, f.seat, w.move
from (
  select match_id, hand_index, cast(null as tinyint) as board_no, seat, flags
  from stored.seats
  union all
  select match_id, hand_index, board_no, seat, flags
  from blotto_flags
) as f
join (
  values
  ('3bet', cast(0 as tinyint), flag_bit('threebet')),
  ('cbet', cast(1 as tinyint), flag_bit('cbet_flop')),
  ('cbet', cast(2 as tinyint), flag_bit('cbet_turn')),
  ('cbet', cast(3 as tinyint), flag_bit('cbet_river'))
) as w (move, street, flag) on f.flags & w.flag <> 0
