-- name: hands
-- grain: hand of a match the viewer sat in
-- columns:
--   undealt  VARCHAR[]  null: no player saw these cards
--   board  VARCHAR[]  Koper: those of the rounds that were played, the log prints all five
-- definition: all else of a hand is public.
select t.* replace (
  cast(null as varchar[]) as undealt,
  if(g.simultaneous, t.board[1:if(t.streets > 1, t.streets + 1, 0)], t.board) as board
)
from truth.hands as t
join truth.viewer as v on v.match_id = t.match_id
join truth.games as g on g.game = t.game
