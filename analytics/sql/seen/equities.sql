-- name: equities
-- grain: hand x street x board x seat still in, of a match the viewer sat in
-- columns:
--   equity_own  DOUBLE  of others: null unless the hand of that street was shown
--   equity_actual  DOUBLE  null unless the hands of all who were in were shown
--   value_before  DOUBLE  likewise; in Bounty null, for it takes the ranks
--   value  DOUBLE  likewise
-- definition: what follows from the cards that the viewer was told. Of a hand that an auction changed the one from the
--   flop on, of one that swaps changed the one on the river.
select
  * exclude (is_known, all_known, game) replace (
    if(is_known, equity_own, null) as equity_own,
    if(all_known, equity_actual, null) as equity_actual,
    if(all_known and game <> 'bounty', value_before, null) as value_before,
    if(all_known and game <> 'bounty', value, null) as value
  )
from (
  select *, bool_and(is_known) over (partition by match_id, hand_index, street, board_no) as all_known
  from (
    select
      t.*, m.game,
      t.seat = v.seat
        or coalesce(b.hole[t.seat + 1], s.hole) is not null
        or (s.hole_final is not null and t.street >= if(m.game = 'auction', 1, 3)) as is_known
    from truth.equities as t
    join truth.viewer as v on v.match_id = t.match_id
    join stored.matches as m on m.match_id = t.match_id
    left join stored.seats as s on s.match_id = t.match_id and s.hand_index = t.hand_index and s.seat = t.seat
    left join stored.boards as b
      on b.match_id = t.match_id and b.hand_index = t.hand_index and b.board_no = t.board_no
  )
)
