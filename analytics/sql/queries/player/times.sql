select *, street_name(street, game) as street_name from decision_times order by street
