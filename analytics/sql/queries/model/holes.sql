-- The cards of each seat, as dealt and at the end of the hand.
select match_id, hand_index, seat, hole, coalesce(hole_changed, hole) as final
from stored.seats
where among(match_id, $ids)
