-- name: boards
-- grain: hand x board, in games of several boards; of hands with two boards that share each pot
-- columns:
--   (stored)
-- definition: the boards of one hand, each a pot of its own. Of a hand that is run twice, or dealt two boards, both boards
--   have half of each pot; only their cards are known apart, and hands.board is the first one.
select /*stored*/
from stored.boards
