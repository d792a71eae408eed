-- name: changes
-- grain: change of hole cards that the viewer saw
-- columns:
--   cards  VARCHAR[]  of others: cards given up that join the board, cards that the viewer passed, and cards of redraws; of the viewer's own redraw the old card only
-- definition: only the player itself sees the cards that it swaps, wins in an auction or throws away. After a redraw the
--   opponent sees the old card. The new one is seen on the board of the next street; in a hand, by the opponent at a
--   showdown.
select t.* replace (
  case
    when t.kind = 'redraw' and (t.seat = v.seat or not coalesce(s.shown, false)) then [t.cards[1], null]
    else t.cards
  end as cards
)
from truth.changes as t
join truth.viewer as v on v.match_id = t.match_id
left join truth.seats as s on s.match_id = t.match_id and s.hand_index = t.hand_index and s.seat = t.seat
join truth.hands as h on h.match_id = t.match_id and h.hand_index = t.hand_index
join truth.games as g on g.game = h.game
where (t.kind = 'discard' and not g.throws) or t.kind in ('pass', 'redraw', 'board_redraw') or t.seat = v.seat
