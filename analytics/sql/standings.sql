-- name: standings
-- grain: event x game x player
-- columns:
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   rank  BIGINT  place by total bankroll, from 1; equal chips share it
--   player  VARCHAR  the log's own name
--   seat  TINYINT  namesake_seat of the player (view players), else null
--   matches  BIGINT  matches played
--   hands  BIGINT  hands whose award the log says
--   units  BIGINT  independent units among them, of which the interval is made
--   chips  DOUBLE  total bankroll: chips won, the sum over all opponents
--   mbb_per_hand  DOUBLE  thousandths of a bb per hand, 1000 * sum(delta / unit) / hands
--   low  DOUBLE  lower end of its 95% interval; null where a stratum has one unit only
--   high  DOUBLE  upper end
-- definition: the competition of an event by total bankroll. Within a stratum (view entrants) the units are the parts
--   of matches (view unit_results) with those dealt the same cards: of the lineup, or of all lineups that share card
--   sets. With r the sum over a unit of delta - hands * the player's mean in that lineup, a stratum of U units has
--   the variance v = U / (U - 1) * sum of r^2; se^2 = sum of v / hands^2, and t has (sum of v)^2 / sum of (v^2 /
--   (U - 1)) degrees of freedom (Satterthwaite, Biometrics Bulletin 2 (1946) 110-114). Hands not played, and opponents
--   not met, are not made up for.
with won as (
  select
    e.event, e.game, e.player, e.namesake_seat as seat, e.stratum, e.lineup, e.table_unit, r.part, r.match_id,
    r.hands, r.delta, r.delta / e.unit as bb,
    sum(r.delta / e.unit) over own / sum(r.hands) over own as mean
  from unit_results as r
  join entrants as e on e.match_id = r.match_id and e.seat = r.seat
  window own as (partition by e.event, e.game, e.player, e.namesake_seat, e.lineup)
),
units as (
  select event, game, player, seat, stratum, sum(bb - hands * mean) as residual
  from won
  group by event, game, player, seat, stratum, table_unit, part
),
strata as (
  select
    event, game, player, seat,
    count(*) as units,
    if(count(*) > 1, count(*) / (count(*) - 1) * sum(residual * residual), null) as variance
  from units
  group by event, game, player, seat, stratum
),
spread as (
  select
    event, game, player, seat,
    cast(sum(units) as bigint) as units,
    if(count(*) = count(variance), sum(variance), null) as variance,
    sum(variance) ** 2 / nullif(sum(variance ** 2 / (units - 1)), 0) as df
  from strata
  group by event, game, player, seat
),
totals as (
  select
    event, game, player, seat,
    count(distinct match_id) as matches,
    cast(sum(hands) as bigint) as hands,
    chips_of(delta) as chips,
    sum(bb) / sum(hands) as mean
  from won
  group by event, game, player, seat
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
