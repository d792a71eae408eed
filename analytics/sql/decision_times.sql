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
--   bank_used  DOUBLE  seconds that these decisions took from the time bank; null if the log has none
--   bank_share  DOUBLE  bank_used / what the bank held at the player's first decision, both summed over matches
--   slow_from  DOUBLE  seconds above which a decision is slow: nine tenths of the player's on the street took no longer
--   slow_hands  BIGINT  hands with a slow decision on the street
--   slow_bb_per_100  DOUBLE  winnings of the player in these hands, bb per 100
--   slow_low  DOUBLE  lower end of its 95% interval
--   slow_high  DOUBLE  upper end
--   other_hands  BIGINT  the other hands with a decision on the street
--   other_bb_per_100  DOUBLE  winnings in these
--   other_low  DOUBLE  lower end of its 95% interval
--   other_high  DOUBLE  upper end
--   slow_difference  DOUBLE  slow_bb_per_100 - other_bb_per_100
--   slow_difference_low  DOUBLE  lower end of its 95% interval
--   slow_difference_high  DOUBLE  upper end
-- definition: seconds per decision, over decisions whose time is in notes: printed in the log, or computed
--   from its time stamps. The interval is mean -+ t * se by the ratio estimator over hands (macro mean_half),
--   cut off at 0. If the engine answered for a player, the time that it waited counts. Damaged hands are left
--   out. The time bank is what notes.status says is left after a decision; what the first decision of a match took
--   is not known. Winnings are of the whole hand, luck included, with mean -+ t * se over hands; the difference has
--   the root of the sum of both squared halves. That slow decisions lose does not say that thinking costs: a player may think
--   longest where much is at stake.
with timed as (
  select
    p.event, p.game, p.player, p.namesake_seat as seat, p.opponent, a.street, t.match_id, t.hand_index, t.seconds,
    s.delta / p.unit as bb,
    if(row_number() over w = 1, t.bank, null) as bank_at_first,
    low_end(lag(t.bank) over w - t.bank) as bank_taken
  from (
    select *, try_cast(regexp_extract(status, 'time bank ([0-9.]+) s', 1) as double) as bank
    from stored.notes
    where seconds is not null
  ) as t
  join stored.actions as a
    on a.match_id = t.match_id and a.hand_index = t.hand_index and a.seq = t.seq and a.seat = t.seat
  join stored.seats as s on s.match_id = t.match_id and s.hand_index = t.hand_index and s.seat = t.seat
  join players as p on p.match_id = t.match_id and p.seat = t.seat
  anti join damaged_hands as d on d.match_id = t.match_id and d.hand_index = t.hand_index
  window w as (partition by t.match_id, t.seat order by t.hand_index, t.seq)
),
held as (
  select event, game, player, seat, /*by_opponent opponent, */sum(bank_at_first) as bank
  from timed
  group by all
),
by_hand as (
  select
    event, game, player, seat, /*by_opponent opponent, */ street, match_id, hand_index,
    count(*) as n,
    sum(seconds) as k,
    sum(seconds ** 2) as squares,
    max(seconds) as slowest,
    any_value(bb) as bb
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
    arg_max(hand_index, seconds) as worst_hand,
    quantile_cont(seconds, 0.9) as slow_from,
    sum(bank_taken) as bank_used
  from timed
  group by all
),
won as (
  select
    h.event, h.game, h.player, h.seat, /*by_opponent h.opponent, */h.street,
    count(h.bb) filter (where h.slowest > e.slow_from) as slow_n,
    sum(h.bb) filter (where h.slowest > e.slow_from) as slow_k,
    sum(h.bb ** 2) filter (where h.slowest > e.slow_from) as slow_squares,
    count(h.bb) filter (where h.slowest <= e.slow_from) as other_n,
    sum(h.bb) filter (where h.slowest <= e.slow_from) as other_k,
    sum(h.bb ** 2) filter (where h.slowest <= e.slow_from) as other_squares
  from by_hand as h
  join ends as e
    on e.event = h.event and e.game = h.game and e.player = h.player and e.seat is not distinct from h.seat
    /*by_opponent and e.opponent = h.opponent */and e.street = h.street
  group by all
),
compared as (
  select
    *,
    100 * slow_k / nullif(slow_n, 0) as slow,
    100 * other_k / nullif(other_n, 0) as other,
    100 * mean_half(slow_k, slow_n, slow_squares, no_clusters()) as slow_half,
    100 * mean_half(other_k, other_n, other_squares, no_clusters()) as other_half
  from won
)
select
  m.event, m.game, m.player, m.seat, /*by_opponent m.opponent, */ m.street, m.n,
  m.total / m.n as mean,
  low_end(m.total / m.n - m.half) as low,
  m.total / m.n + m.half as high,
  e.median, e.worst, m.total, e.worst_match, e.worst_hand,
  e.bank_used,
  e.bank_used / h.bank as bank_share,
  e.slow_from,
  w.slow_n as slow_hands,
  w.slow as slow_bb_per_100,
  w.slow - w.slow_half as slow_low,
  w.slow + w.slow_half as slow_high,
  w.other_n as other_hands,
  w.other as other_bb_per_100,
  w.other - w.other_half as other_low,
  w.other + w.other_half as other_high,
  w.slow - w.other as slow_difference,
  w.slow - w.other - sqrt(w.slow_half ** 2 + w.other_half ** 2) as slow_difference_low,
  w.slow - w.other + sqrt(w.slow_half ** 2 + w.other_half ** 2) as slow_difference_high
from means as m
join ends as e
  on e.event = m.event and e.game = m.game and e.player = m.player and e.seat is not distinct from m.seat
  /*by_opponent and e.opponent = m.opponent */ and e.street = m.street
join held as h
  on h.event = m.event and h.game = m.game and h.player = m.player and h.seat is not distinct from m.seat
  /*by_opponent and h.opponent = m.opponent */
join compared as w
  on w.event = m.event and w.game = m.game and w.player = m.player and w.seat is not distinct from m.seat
  /*by_opponent and w.opponent = m.opponent */and w.street = m.street
