-- name: decision_times
-- suffixes: by_opponent
-- grain: event x game x player x street
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river
--   n  BIGINT  decisions whose time the log has
--   mean  DOUBLE  their mean, seconds
--   low  DOUBLE  lower end of its 95% interval; null of one hand
--   high  DOUBLE  upper end
--   median  DOUBLE  seconds
--   worst  DOUBLE  the longest, seconds
--   total  DOUBLE  the sum, seconds
--   worst_match  UBIGINT  match of the longest decision
--   worst_hand  INTEGER  its hand_index
-- definition: seconds per decision, over decisions whose time is in notes: printed in the log, or computed
--   from its time stamps. The interval is mean -+ t * se by the ratio estimator over hands (macro mean_half),
--   cut off at 0. If the engine answered for a player, the time that it waited counts. Damaged hands are left
--   out.
with timed as (
  select
    p.event, p.game, p.player, p.namesake_seat as seat, p.opponent, a.street, t.match_id, t.hand_index, t.seconds
  from stored.notes as t
  join stored.actions as a
    on a.match_id = t.match_id and a.hand_index = t.hand_index and a.seq = t.seq and a.seat = t.seat
  join players as p on p.match_id = t.match_id and p.seat = t.seat
  anti join damaged_hands as d on d.match_id = t.match_id and d.hand_index = t.hand_index
  where t.seconds is not null
),
by_hand as (
  select
    event, game, player, seat, /*by_opponent opponent, */ street, match_id, hand_index,
    count(*) as n,
    sum(seconds) as k,
    sum(seconds ** 2) as squares
  from timed
  group by all
),
means as (
  select
    event, game, player, seat, /*by_opponent opponent, */ street,
    cast(sum(n) as bigint) as n,
    sum(k) as total,
    mean_half(sum(k), sum(n), sum(squares), spread_of(n, k, hand_index)) as half
  from by_hand
  group by all
),
ends as (
  select
    event, game, player, seat, /*by_opponent opponent, */ street,
    median(seconds) as median,
    max(seconds) as worst,
    arg_max(match_id, seconds) as worst_match,
    arg_max(hand_index, seconds) as worst_hand
  from timed
  group by all
)
select
  m.event, m.game, m.player, m.seat, /*by_opponent m.opponent, */ m.street, m.n,
  m.total / m.n as mean,
  low_end(m.total / m.n - m.half) as low,
  m.total / m.n + m.half as high,
  e.median, e.worst, m.total, e.worst_match, e.worst_hand
from means as m
join ends as e
  on e.event = m.event and e.game = m.game and e.player = m.player and e.seat is not distinct from m.seat
  /*by_opponent and e.opponent = m.opponent */ and e.street = m.street
