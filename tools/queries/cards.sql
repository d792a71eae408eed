select game, count(*) filter (where reuse = 'duplicate') as duplicate, count(*) filter (where reuse = 'seed') as seed,
  count(*) filter (where reuse = 'series') as series, count(*) filter (where reuse is null) as "no stated reason"
from repeated_deals group by game order by game
