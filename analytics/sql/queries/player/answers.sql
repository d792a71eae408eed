select *, street_name(street, game) as street_name from (/*over_matches bet_answers*/) order by street, size_bin
