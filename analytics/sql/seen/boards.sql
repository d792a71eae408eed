-- name: boards
-- grain: hand x board, of a match the viewer sat in
-- columns:
--   hole  VARCHAR[][]  of others: null unless the board came to a showdown
-- definition: what was sent to a board is shown where the board comes to a showdown.
select t.* replace (
  list_transform(t.hole, lambda cards, place: if(place = v.seat + 1 or t.ended_by = 'showdown', cards, null)) as hole
)
from truth.boards as t
join truth.viewer as v on v.match_id = t.match_id
