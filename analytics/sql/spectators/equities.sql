-- name: equities
-- grain: hand x street x board x seat still in
-- columns:
--   equity_own  DOUBLE  also null if players see cards that nobody else sees, because these cannot be dealt
-- definition: what follows from the cards that were shown.
select t.* replace (if(g.swaps or g.redraws or g.throws or g.passes, null, t.equity_own) as equity_own)
from (/*seen*/) as t
join truth.hands as h on h.match_id = t.match_id and h.hand_index = t.hand_index
join truth.games as g on g.game = h.game
