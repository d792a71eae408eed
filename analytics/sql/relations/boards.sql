-- name: boards
-- grain: hand x board, in games of several boards
-- columns:
--   match_id  UBIGINT  stored
--   hand_index  INTEGER  stored
--   board_no  TINYINT  stored
--   cards  VARCHAR[]  stored
--   pot  DOUBLE  stored
--   pot_inflation  DOUBLE  stored
--   ended_by  VARCHAR  stored
--   hole  VARCHAR[][]  stored
--   contribution  DOUBLE[]  stored
--   payout  DOUBLE[]  stored
-- definition: the boards of one hand, each a pot of its own.
select match_id, hand_index, board_no, cards, pot, pot_inflation, ended_by, hole, contribution, payout
from stored.boards
