-- name: boards
-- grain: hand x board, in games of several boards
-- columns:
--   (stored)
-- definition: the boards of one hand, each a pot of its own.
select /*stored*/
from stored.boards
