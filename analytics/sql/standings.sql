-- name: standings
-- grain: event x game x player
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   rank  BIGINT  place by total bankroll, from 1; equal chips share it
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   matches  BIGINT  matches played
--   hands  BIGINT  hands whose award is in the log
--   units  BIGINT  independent units among them, on which the interval is based
--   chips  DOUBLE  total bankroll: chips won, the sum over all opponents
--   mbb_per_hand  DOUBLE  thousandths of a bb per hand, 1000 * sum(delta / unit) / hands
--   low  DOUBLE  lower end of its 95% interval; null if a stratum has only one unit
--   high  DOUBLE  upper end
-- definition: the competition of an event by total bankroll. Within a stratum (view entrants) the units are
--   the parts of matches (view unit_results) with those dealt the same cards: of the lineup, or of all
--   lineups that share card sets. The residual of a unit is the sum over its lineups of (delta - hands * the
--   player's mean in the lineup) * sqrt(U / (U - 1)), with the lineup's U units; where a lineup has one, all
--   of the stratum count as one lineup, which makes the interval wider, not narrower (collapsed strata,
--   Cochran, Sampling Techniques, 1977, 5A.12). A stratum's variance v is the sum of squared residuals, its
--   degrees of freedom d its units less the different sets of them that its lineups have; se^2 = sum of v /
--   hands^2, and t has (sum of v)^2 / sum of (v^2 / d) degrees of freedom (Satterthwaite, Biometrics Bulletin
--   2 (1946) 110-114). The view does not correct for hands not played or opponents not met.
with parts as (
  select
    e.event, e.game, e.player, e.namesake_seat as seat, e.stratum, e.lineup, e.table_unit, r.part,
    sum(r.hands) as hands, sum(r.delta / e.unit) as bb
  from unit_results as r
  join entrants as e on e.match_id = r.match_id and e.seat = r.seat
  group by all
),
-- Whose units have one mean: a lineup's, or all of the stratum's.
pools as (
  select
    event, game, player, seat, stratum, lineup,
    if(min(units) over (partition by event, game, player, seat, stratum) = 1, 0, lineup) as pool
  from (
    select event, game, player, seat, stratum, lineup, count(*) as units
    from parts
    group by event, game, player, seat, stratum, lineup
  )
),
pooled as (
  select
    p.event, p.game, p.player, p.seat, p.stratum, q.pool, p.table_unit, p.part,
    sum(p.hands) as hands, sum(p.bb) as bb
  from parts as p
  join pools as q
    on q.event = p.event and q.game = p.game and q.player = p.player and q.seat is not distinct from p.seat
    and q.stratum = p.stratum and q.lineup = p.lineup
  group by all
),
means as (
  select
    event, game, player, seat, stratum, pool,
    sum(bb) / sum(hands) as mean,
    count(*) as units,
    bit_xor(hash(table_unit, part)) as cards
  from pooled
  group by event, game, player, seat, stratum, pool
),
units as (
  select
    p.event, p.game, p.player, p.seat, p.stratum,
    sum((p.bb - p.hands * m.mean) * sqrt(m.units / nullif(m.units - 1, 0))) as residual
  from pooled as p
  join means as m
    on m.event = p.event and m.game = p.game and m.player = p.player and m.seat is not distinct from p.seat
    and m.stratum = p.stratum and m.pool = p.pool
  group by p.event, p.game, p.player, p.seat, p.stratum, p.table_unit, p.part
),
strata as (
  select u.*, greatest(u.units - d.decks, 1) as df
  from (
    select event, game, player, seat, stratum, count(*) as units, sum(residual * residual) as variance
    from units
    group by event, game, player, seat, stratum
  ) as u
  join (
    select event, game, player, seat, stratum, count(distinct cards) as decks
    from means
    group by event, game, player, seat, stratum
  ) as d
    on d.event = u.event and d.game = u.game and d.player = u.player and d.seat is not distinct from u.seat
    and d.stratum = u.stratum
),
spread as (
  select
    event, game, player, seat,
    cast(sum(units) as bigint) as units,
    if(count(*) = count(variance), sum(variance), null) as variance,
    sum(variance) ** 2 / nullif(sum(variance ** 2 / df), 0) as df
  from strata
  group by event, game, player, seat
),
totals as (
  select
    e.event, e.game, e.player, e.namesake_seat as seat,
    count(distinct r.match_id) as matches,
    cast(sum(r.hands) as bigint) as hands,
    chips_of(r.delta) as chips,
    sum(r.delta / e.unit) / sum(r.hands) as mean
  from unit_results as r
  join entrants as e on e.match_id = r.match_id and e.seat = r.seat
  group by e.event, e.game, e.player, e.namesake_seat
)
select
  t.event, t.game,
  place_of(t.chips, t.event, t.game) as rank,
  t.player, t.seat, t.matches, t.hands, s.units, t.chips,
  1000 * t.mean as mbb_per_hand,
  1000 * (t.mean - coalesce(t_975(s.df), 0) * sqrt(s.variance) / t.hands) as low,
  1000 * (t.mean + coalesce(t_975(s.df), 0) * sqrt(s.variance) / t.hands) as high
from totals as t
join spread as s
  on s.event = t.event and s.game = t.game and s.player = t.player and s.seat is not distinct from t.seat
