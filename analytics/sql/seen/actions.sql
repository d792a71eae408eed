-- name: actions
-- grain: decision in a match the viewer sat in
-- columns:
--   win_prob  DOUBLE  Koper: of others, null in games after the viewer was out
-- definition: actions are public. Koper tells those who are still in a match everybody's equities after each game.
select t.* replace (if(o.match_id is null, t.win_prob, null) as win_prob)
from truth.actions as t
join truth.viewer as v on v.match_id = t.match_id
left join (
  select h.match_id, h.hand_index
  from truth.hands as h
  join truth.viewer as v on v.match_id = h.match_id
  left join truth.seats as w on w.match_id = h.match_id and w.hand_index = h.hand_index and w.seat = v.seat
  join truth.games as g on g.game = h.game
  where g.shows_folded and w.seat is null
) as o on o.match_id = t.match_id and o.hand_index = t.hand_index
