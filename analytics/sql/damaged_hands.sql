-- name: damaged_hands
-- grain: hand whose lines contradict each other
-- table: in a small store
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
-- definition: hands of verdict 'damaged'. No statistic counts them.
select match_id, hand_index
from stored.hands
where verdict = 'damaged'
