-- What each player won in each hand it was dealt into; a hand without an award counts as nothing.
select match_id, seat, hand_index, delta from seats where list_contains($ids, match_id)
order by match_id, seat, hand_index
