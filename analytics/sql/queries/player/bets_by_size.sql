select *, street_name(street, game) as street_name from bets_by_size where bets > 0 order by street, size
