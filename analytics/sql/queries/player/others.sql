/*over_matches tendencies_of_others*/
