select game, count(*) filter (where reuse = 'duplicate'), count(*) filter (where reuse = 'seed'),
  count(*) filter (where reuse = 'series'), count(*) filter (where reuse is null)
from repeated_deals group by game order by game
