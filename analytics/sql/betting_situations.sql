-- name: betting_situations
-- grain: hand x situation
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   board_no  TINYINT  number of the board in games of several boards; else null
--   situation  VARCHAR  limped-pot raised-pot 3bet-pot 4bet-pot squeezed all-in-before-river
--   street  TINYINT  street of the decision; null if the situation is of the whole hand
--   seat  TINYINT  seat of the player in the situation; null if it holds for the whole hand
-- definition: situations that depend on the betting only. limped-pot, raised-pot, 3bet-pot, 4bet-pot: a flop
--   was dealt after no raise, one, two, or three and more. squeezed: a player raised before the flop after
--   one raise and at least one call of it. all-in-before-river: nobody folded, both players (of more than
--   two: all but one at most) put in their whole stacks, and the last choice was before the river.
with preflop as (
  select
    match_id, hand_index, board_no, street, seat, seq, action, origin,
    count(*) filter (where action = 'raise') over before as raises,
    count(*) filter (where action = 'call' and bet_level = 2) over before as callers
  from actions
  where street = 0
  window before as (
    partition by match_id, hand_index, board_no
    order by seq
    rows between unbounded preceding and 1 preceding
  )
)
select
  p.match_id, p.hand_index, p.board_no,
  case p.raises when 0 then 'limped-pot' when 1 then 'raised-pot' when 2 then '3bet-pot' else '4bet-pot' end as situation,
  cast(null as tinyint) as street,
  cast(null as tinyint) as seat
from (
  select match_id, hand_index, board_no, count(*) filter (where action = 'raise') as raises
  from preflop
  group by match_id, hand_index, board_no
) as p
join stored.hands as h on h.match_id = p.match_id and h.hand_index = p.hand_index
join stored.games as g on g.game = h.game and g.forced = 'blinds'
left join stored.boards as b
  on b.match_id = p.match_id and b.hand_index = p.hand_index and b.board_no = p.board_no
where if(p.board_no is null, h.streets > 1, len(b.cards) > 0)
union all
select match_id, hand_index, board_no, 'squeezed', street, seat
from preflop
where action = 'raise' and origin = 'choice' and raises = 1 and callers > 0
union all
select s.match_id, s.hand_index, null, 'all-in-before-river', null, null
from (
  select match_id, hand_index, count(*) as players, count(*) filter (where contribution >= stack_start) as all_in
  from stored.seats
  group by match_id, hand_index
) as s
join (
  select
    match_id, hand_index,
    bool_or(action = 'fold') as has_folded,
    max(street) filter (where origin = 'choice') as last_street
  from actions
  group by match_id, hand_index
) as a on a.match_id = s.match_id and a.hand_index = s.hand_index
join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
join stored.games as g on g.game = h.game and not g.simultaneous
where s.all_in >= if(s.players > 2, s.players - 1, 2) and not a.has_folded and a.last_street < list_position(g.streets, 'river') - 1
