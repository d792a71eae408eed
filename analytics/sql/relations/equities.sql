-- name: equities
-- grain: hand x street x board x seat still in, counted when first needed
-- columns:
--   match_id  UBIGINT  stored
--   hand_index  INTEGER  stored
--   street  TINYINT  derived: the number of stored.equities.street, 0 preflop
--   (stored)
-- definition: exact equities after the cards of each street, with every run-out counted (docs/luck.md says how for
--   each game), and their effect on the chips that the seat could expect. Damaged hands have none.
select match_id, hand_index, street, /*stored*/
from stored.equities
