-- Ends of the Wilson score interval at 95% (Wilson, JASA 22 (1927) 209-212) of k successes in n; null where n is 0.
create macro wilson_low(k, n) as
  case
    when n > 0 and k = 0 then 0.0
    when n > 0 then (k + 1.9207294103470627 - 1.959963984540054 * sqrt(k * (n - k) / n + 0.9603647051735313))
      / (n + 3.8414588206941254)
  end;
create macro wilson_high(k, n) as
  case
    when n > 0 and k = n then 1.0
    when n > 0 then (k + 1.9207294103470627 + 1.959963984540054 * sqrt(k * (n - k) / n + 0.9603647051735313))
      / (n + 3.8414588206941254)
  end;

-- What share k is of n; null where n is 0.
create macro rate_of(k, n) as case when n > 0 then k / n end;

-- The 97.5% quantile of Student's t: exact for 1 and 2 degrees of freedom, from 3 on the expansion of Abramowitz and
-- Stegun 26.7.5, right to 0.004. Null below 1.
create macro t_975(df) as
  case
    when df >= 3 then 1.959963984540054 + 2.3722712302986 / df + 2.8224986157396 / df ** 2 + 2.5558496795077 / df ** 3
      + 1.5895340533938 / df ** 4
    when df >= 2 then 4.30265272974946
    when df >= 1 then 12.70620473617471
  end;

-- The streets' names; what River of Blood deals after the river is a run.
create macro street_name(street) as
  coalesce(['preflop', 'flop', 'turn', 'river'][street + 1], 'run ' || (street - 3));

-- Where a position comes when positions are listed: by the order to act preflop where it has a name, by its number
-- in games that number them.
create macro position_place(position) as
  coalesce(
    list_position(['UTG', 'UTG+1', 'UTG+2', 'UTG+3', 'UTG+4', 'LJ', 'HJ', 'CO', 'BTN', 'SB', 'BB'], position),
    try_cast(position as integer),
    0
  )
