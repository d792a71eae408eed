-- name: changes
-- grain: change of cards that everybody at the table saw
-- columns:
--   cards  VARCHAR[]  the new card of the board is null unless it was still dealt
--   line  BIGINT  within the hand, as of hands
-- definition: cards given up that join the board, and the board's own redraws. What one player alone is shown, or two pass
--   to each other, is left out.
select t.* replace (
  t.line - h.line as line,
  if(t.kind = 'board_redraw' and h.ended_by = 'fold' and h.streets <= t.street + 1, [t.cards[1], null], t.cards) as cards
)
from (/*seen*/) as t
join truth.hands as h on h.match_id = t.match_id and h.hand_index = t.hand_index
join truth.games as g on g.game = h.game
where (t.kind = 'discard' and g.discards) or t.kind = 'board_redraw'
