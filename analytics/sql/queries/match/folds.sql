select *, street_name(street, game) as street_name from fold_frequency_by_match
where among(match_id, $ids) order by match_id, street, position_place(position), position, seat
