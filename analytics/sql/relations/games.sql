-- name: games
-- grain: game in the store
-- columns:
--   (stored)
-- definition: the rules of each game as properties, so that queries need no names of games. A property states a rule that any
--   game may have: three boards, cards bid for, a forced bet.
select /*stored*/
from stored.games
