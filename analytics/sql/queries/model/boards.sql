-- The board of each hand.
select match_id, hand_index, board from stored.hands where among(match_id, $ids)
