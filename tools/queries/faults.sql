with sat as (
  select x.game, x.source, count(*) as n, count(distinct (p.event, p.player, p.namesake_seat)) as bots
  from stored.hands as h
  join sources as x on x.match_id = h.match_id
  join players as p on p.match_id = h.match_id
  group by all
),
told as (
  select x.game, x.source, t.kind, count(*) as faults,
    count(distinct (t.match_id, t.hand_index, t.seat)) as faulty,
    count(distinct (p.event, p.player, p.namesake_seat)) as bots
  from stored.faults as t
  join sources as x on x.match_id = t.match_id
  left join players as p on p.match_id = t.match_id and p.seat = t.seat
  group by all
)
select t.game, t.source as logs, t.kind as fault, t.faults, s.n, t.faulty, {'k': t.faulty, 'n': s.n} as share,
  [t.bots, s.bots] as bots
from told as t join sat as s on s.game = t.game and s.source = t.source
order by t.game, t.source, t.kind
