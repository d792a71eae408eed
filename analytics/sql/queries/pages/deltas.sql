-- What each player won in each hand it was dealt into; a hand without an award counts as nothing.
select match_id, seat, hand_index, delta from seats where among(match_id, $ids)
order by match_id, seat, hand_index
