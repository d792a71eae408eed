select h.*, s.label from (/*over_matches halves*/) as h join statistics as s using (statistic) order by s.place
