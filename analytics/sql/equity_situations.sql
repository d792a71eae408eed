-- name: equity_situations
-- grain: own decision x situation
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   board_no  TINYINT  number of the board in games of several boards; else null
--   situation  VARCHAR  folded-the-best called-the-worst bet-the-worst
--   street  TINYINT  of the decision
--   seat  TINYINT  whose decision it was
-- definition: a fold of the best hand, a call, and a bet or raise with the worst. Best and worst go by
--   equities.equity_actual after the cards of the street: it is above, or below, that of every player who has not folded
--   yet. So only hands whose cards are all known are here, and before the last cards the favourite is best.
with decided as (
  select
    a.match_id, a.hand_index, a.board_no, a.street, a.seat, a.action,
    min(o.equity_actual) as least,
    max(o.equity_actual) as most,
    any_value(e.equity_actual) as equity
  from actions as a
  join equities as e
    on e.match_id = a.match_id and e.hand_index = a.hand_index and e.street = a.street and e.seat = a.seat
    and e.board_no is not distinct from a.board_no
  join equities as o
    on o.match_id = a.match_id and o.hand_index = a.hand_index and o.street = a.street and o.seat <> a.seat
    and o.board_no is not distinct from a.board_no
  left join actions as f
    on f.match_id = o.match_id and f.hand_index = o.hand_index and f.seat = o.seat and f.action = 'fold'
    and f.board_no is not distinct from o.board_no and f.seq < a.seq
  where a.origin = 'choice' and a.action in ('fold', 'call', 'bet', 'raise') and f.seq is null
  group by a.match_id, a.hand_index, a.board_no, a.street, a.seat, a.seq, a.action
  having count(*) = count(o.equity_actual)
)
select
  match_id, hand_index, board_no,
  case action when 'fold' then 'folded-the-best' when 'call' then 'called-the-worst' else 'bet-the-worst' end as situation,
  street, seat
from decided
where if(action = 'fold', equity > most, equity < least)
