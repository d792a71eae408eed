-- name: hands
-- grain: hand
-- columns:
--   board_changed  VARCHAR[]  in a hand that ended by a fold on the street of a board redraw: null if it differs from board
--   line  BIGINT  0: lines of a hand are counted from its first one
-- definition: all else of a hand is public. In Bounty the log has a line for each rank in play, the loser's too, so the line
--   of the next hand would tell of it.
select t.* replace (
  cast(0 as bigint) as line,
  if(
    c.match_id is null,
    t.board_changed,
    list_transform(t.board_changed, lambda card: if(list_contains(t.board, card), card, null))
  ) as board_changed
)
from (/*seen*/) as t
left join (
  select distinct c.match_id, c.hand_index
  from truth.changes as c
  join truth.hands as h on h.match_id = c.match_id and h.hand_index = c.hand_index
  where c.kind = 'board_redraw' and h.ended_by = 'fold' and h.streets <= c.street + 1
) as c on c.match_id = t.match_id and c.hand_index = t.hand_index
