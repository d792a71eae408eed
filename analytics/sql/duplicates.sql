-- name: duplicates
-- grain: event x game x lineup x player
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   lineup  UBIGINT  the players at the table (view entrants)
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  the others' names, joined by ' + '
--   seatings  BIGINT  k: number of seatings in which the lineup was dealt the cards
--   sets  BIGINT  parts of matches (view unit_results) dealt in all k
--   left_out  BIGINT  parts dealt in fewer, as after a crash
--   mbb_per_hand  DOUBLE  1000 * mean of d / hands, d being the mean of x over the k seatings
--   low  DOUBLE  lower end of its 95% interval, d +- t * sqrt(Var(d) / sets), sets - 1 degrees of freedom; null of one set
--   high  DOUBLE  upper end; null of one set
--   sd  DOUBLE  s, bb: square root of the mean over the seatings of the variance of x; null of one set
--   rho  DOUBLE  correlation of x between seatings: mean covariance / s^2; below 0 if the cards' luck cancels; null with one set
--   variance_ratio  DOUBLE  1 + (k - 1) * rho = Var(d) / (s^2 / k): variance relative to fresh cards each time; null of one set
-- definition: the same cards in other seats. x is what the player won in bb in one seating of a set of cards: a
--   hand of ACPC games, a match of Koper. Var(d) = s^2 (1 + (k - 1) rho) / k; heads-up d = (x + x') / 2 and Var(d)
--   = s^2 (1 + rho) / 2. Matches of the same cards in one seating count once, with their mean.
with x as (
  select
    e.event, e.game, e.lineup, e.player, e.namesake_seat as seat, e.pair_unit, r.part, m.seating,
    any_value(p.opponent) as opponent,
    avg(r.delta / e.unit) as x,
    avg(r.hands) as hands
  from unit_results as r
  join entrants as e on e.match_id = r.match_id and e.seat = r.seat
  join players as p on p.match_id = r.match_id and p.seat = r.seat
  join matches as m on m.match_id = r.match_id
  where e.pair_unit = m.duplicate_group and m.seating is not null
  group by e.event, e.game, e.lineup, e.player, e.namesake_seat, e.pair_unit, r.part, m.seating
),
dealt as (
  select event, game, lineup, count(distinct seating) as seatings
  from x
  group by event, game, lineup
  having count(distinct seating) > 1
),
sets as (
  select
    x.event, x.game, x.lineup, x.player, x.seat, x.pair_unit, x.part,
    any_value(x.opponent) as opponent,
    any_value(d.seatings) as seatings,
    count(*) = any_value(d.seatings) as whole,
    avg(x.x) as d,
    avg(x.hands) as hands
  from x
  join dealt as d on d.event = x.event and d.game = x.game and d.lineup = x.lineup
  group by x.event, x.game, x.lineup, x.player, x.seat, x.pair_unit, x.part
),
pooled as (
  select
    event, game, lineup, player, seat,
    any_value(opponent) as opponent,
    any_value(seatings) as seatings,
    count(*) filter (where whole) as sets,
    count(*) filter (where not whole) as left_out,
    avg(d) filter (where whole) as d,
    avg(hands) filter (where whole) as hands,
    var_samp(d) filter (where whole) as variance
  from sets
  group by event, game, lineup, player, seat
),
single as (
  select event, game, lineup, player, seat, avg(variance) as variance
  from (
    select x.event, x.game, x.lineup, x.player, x.seat, x.seating, var_samp(x.x) as variance
    from x
    semi join (select * from sets where whole) as s
      on s.lineup = x.lineup and s.event = x.event and s.game = x.game and s.pair_unit = x.pair_unit
        and s.part = x.part and s.player = x.player and s.seat is not distinct from x.seat
    group by x.event, x.game, x.lineup, x.player, x.seat, x.seating
  )
  group by event, game, lineup, player, seat
)
select
  p.event, p.game, p.lineup, p.player, p.seat, p.opponent, p.seatings, p.sets, p.left_out,
  1000 * p.d / p.hands as mbb_per_hand,
  1000 * (p.d - t_975(p.sets - 1) * sqrt(p.variance / p.sets)) / p.hands as low,
  1000 * (p.d + t_975(p.sets - 1) * sqrt(p.variance / p.sets)) / p.hands as high,
  sqrt(s.variance) as sd,
  (p.seatings * p.variance / nullif(s.variance, 0) - 1) / (p.seatings - 1) as rho,
  p.seatings * p.variance / nullif(s.variance, 0) as variance_ratio
from pooled as p
left join single as s
  on s.event = p.event and s.game = p.game and s.lineup = p.lineup and s.player = p.player
    and s.seat is not distinct from p.seat
