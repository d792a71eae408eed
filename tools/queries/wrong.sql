select x.game, x.source as logs, count(*) as "n hands",
  {'k': count(*) filter (where h.verdict = 'violation'), 'n': "n hands", 'counted': true} as violations,
  count(*) filter (where h.verdict = 'damaged') as damaged,
  count(*) filter (where h.verdict = 'unverified') as unverified
from stored.hands as h join sources as x on x.match_id = h.match_id
group by all order by x.game, x.source
