-- name: renumbered
-- grain: hand whose printed number does not follow from its place in the match
-- table: in a store limited to one player
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   hand_no  BIGINT  printed number of the hand
-- definition: hands whose printed number does not follow from the first one and hand_index, because hands before
--   them are missing from the log or occur twice. The number of every other hand follows from match_starts.
select h.match_id, h.hand_index, h.hand_no
from stored.hands as h
join (select match_id, hand_no from stored.hands where hand_index = 0) as f on f.match_id = h.match_id
where h.hand_no <> f.hand_no + h.hand_index
