-- name: seats
-- grain: hand x player
-- columns:
--   hole  VARCHAR[]  null unless shown; null after a redraw, which shows the old card only to the opponent
--   written_off  DOUBLE  null, because the result by the rules depends on hidden cards
--   engine_off  DOUBLE  null: as written_off
--   bounty_hit  BOOLEAN  null: it follows from hidden cards
--   published_adjusted  DOUBLE  null: the log's own figure without luck follows from hidden cards
--   hand_score  SMALLINT  null unless the cards were shown
-- definition: what a player who sits in no seat sees of a hand, and less where a number follows from hidden cards.
select t.* replace (
  if(g.redraws and t.hole_changed is not null, null, t.hole) as hole,
  cast(null as double) as written_off,
  cast(null as double) as engine_off,
  cast(null as boolean) as bounty_hit,
  cast(null as double) as published_adjusted,
  if(t.hole is null and t.hole_changed is null, null, t.hand_score) as hand_score
)
from (/*seen*/) as t
join truth.hands as h on h.match_id = t.match_id and h.hand_index = t.hand_index
join truth.games as g on g.game = h.game
