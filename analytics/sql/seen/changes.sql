-- name: changes
-- grain: change of hole cards that the viewer saw
-- columns:
--   cards  VARCHAR[]  of others: only those given up, which join the board, those that the viewer passed, and cards of redraws; of one's own redraw not the new
-- definition: cards swapped, won in an auction or thrown away are told to their player alone. Of a redraw the opponent is shown the
--   old card. The new one is seen on the board of the next street, or at a showdown, of the opponent's hand only.
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
