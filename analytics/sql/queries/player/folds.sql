select *, street_name(street, game) as street_name from (/*over_matches fold_frequency*/)
order by street, position_place(position), position
