-- The board of each hand.
select match_id, hand_index, board from stored.hands where list_contains($ids, match_id)
