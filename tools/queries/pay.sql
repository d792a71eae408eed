with hands_paid as (
  select x.game, x.source, h.match_id, h.hand_index, max(abs(s.written_off)) as off
  from stored.hands as h
  join sources as x on x.match_id = h.match_id
  join stored.seats as s on s.match_id = h.match_id and s.hand_index = h.hand_index
  where h.verdict <> 'damaged'
  group by all
),
paid as (
  select game, source, count(*) as n, count(*) filter (where off > 0.005) as k from hands_paid group by all
),
won as (
  select x.game, x.source, count(*) as matches, sum(w.moved) as moved,
    count(*) filter (where w.moved >= 0.01) as touched, count(*) filter (where w.changes) as changed
  from winners_as_written as w join sources as x on x.match_id = w.match_id group by all
),
places as (
  select game, count(*) as players, count(*) filter (where changes) as changed
  from standings_as_written group by game
)
select p.game, p.source as logs, p.n as "n hands", p.k as otherwise, {'k': p.k, 'n': p.n} as share, w.moved,
  [w.touched, w.matches] as matches, [w.changed, w.matches] as "other winner", [s.changed, s.players] as "other places"
from paid as p
join won as w on w.game = p.game and w.source = p.source
join places as s on s.game = p.game
order by p.game, p.source
