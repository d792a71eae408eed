select x.game, x.source, count(*) as n,
  count(*) filter (where h.verdict = 'violation'), count(*) filter (where h.verdict = 'damaged'),
  count(*) filter (where h.verdict = 'unverified')
from stored.hands as h join sources as x on x.match_id = h.match_id
group by all order by all
