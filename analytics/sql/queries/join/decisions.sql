-- What the bots of some matches were asked, each with its place among the questions to its seat in the hand, from 0.
with asked as (
  select match_id, hand_index, seat, decision_no, min(seq) as seq
  from actions
  where among(match_id, $ids) and origin in ('choice', 'substitute')
  group by all
)
select
  a.match_id, h.hand_no, a.hand_index, a.seat, a.seq, p.player,
  row_number() over (partition by a.match_id, a.hand_index, a.seat order by a.seq) - 1 as place
from asked as a
join hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
join players as p on p.match_id = a.match_id and p.seat = a.seat
order by a.match_id, a.hand_index, a.seq
