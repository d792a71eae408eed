-- name: equities
-- grain: hand x street x board x seat still in, counted when first needed
-- columns:
--   match_id  UBIGINT  stored
--   hand_index  INTEGER  stored
--   street  TINYINT  derived: the number of stored.equities.street, 0 preflop
--   board_no  TINYINT  stored
--   seat  TINYINT  stored
--   equity_own  DOUBLE  stored
--   equity_actual  DOUBLE  stored
--   stake  DOUBLE  stored
--   value_before  DOUBLE  stored
--   value  DOUBLE  stored
--   all_in  BOOLEAN  stored
-- definition: exact equities after the cards of each street, with every run-out counted (docs/luck.md says how for
--   each game), and their effect on the chips that the seat could expect. Damaged hands have none.
select
  match_id, hand_index, street, board_no, seat, equity_own, equity_actual, stake, value_before, value, all_in
from stored.equities
