select *, street_name(street, game) as street_name from fold_frequency_by_match
where list_contains($ids, match_id) order by match_id, street, position_place(position), position, seat
