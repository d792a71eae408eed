-- name: bankroll_curve
-- grain: match x hand x seat
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   hand_no  BIGINT  printed number of the hand
--   seat  TINYINT  seat in the match, from 0
--   player  VARCHAR  name of the player in the log
--   bankroll  DOUBLE  chips after the hand
--   bankroll_written  DOUBLE  chips after the hand if every hand so far were paid as written
--   showdown  DOUBLE  chips won so far in hands that came to a showdown
--   non_showdown  DOUBLE  chips won so far in hands that ended by a fold
-- definition: running sums from the match's first hand; bankroll = its first bankroll + showdown +
--   non_showdown. In hands whose payout cannot be checked (damaged, unverified) the logged delta also counts
--   as the written one. A hand without an award in the log adds nothing.
select
  match_id, hand_index, hand_no, seat, player,
  first_value(bankroll_before) over run + sum(delta) over run as bankroll,
  first_value(bankroll_before) over run + sum(delta + written_off) over run as bankroll_written,
  sum(if(ended_by = 'fold', 0, delta)) over run as showdown,
  sum(if(ended_by = 'fold', delta, 0)) over run as non_showdown
from (
  select
    s.match_id, s.hand_index, h.hand_no, s.seat, s.player, coalesce(s.bankroll_before, s.stack_start) as bankroll_before,
    h.ended_by,
    coalesce(s.delta, 0) as delta,
    if(h.verdict = 'damaged', 0, coalesce(s.written_off, 0)) as written_off
  from stored.seats as s
  join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
)
window run as (partition by match_id, seat order by hand_index rows between unbounded preceding and current row)
