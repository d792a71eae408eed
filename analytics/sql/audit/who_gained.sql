-- name: who_gained
-- grain: match x set of pay deviations x player
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   match_id  UBIGINT  key of the match
--   deviation  VARCHAR  its name; names joined by + if a hand has several
--   seat  TINYINT  seat in the match, from 0
--   player  VARCHAR  name of the player in the log
--   hands  BIGINT  hands of the match so paid
--   gained  DOUBLE  chips that the player got beyond the written payout; negative: less
--   moved  DOUBLE  chips that changed hands or were lost: the larger of all gains and all losses
--   hand_index  INTEGER  the hand that moved most
-- definition: who gained where the engine pays otherwise than written: delta - delta_written over the hands that a
--   pay deviation explains. The players' gains do not add up to 0 where the engine loses or creates chips.
with paid as (
  select match_id, hand_index, string_agg(distinct name, '+' order by name) as deviation
  from (
    select match_id, hand_index, unnest(string_split(deviation, '+')) as name
    from stored.findings
    where verdict = 'engine_deviation' and kind = 'pay'
  )
  group by match_id, hand_index
),
amounts as (
  select d.match_id, d.hand_index, d.deviation, s.seat, s.player, -coalesce(s.written_off, 0) as gained
  from paid as d
  join stored.seats as s on s.match_id = d.match_id and s.hand_index = d.hand_index
),
hands_moved as (
  select
    match_id, hand_index, deviation,
    moved_by(gained) as moved
  from amounts
  group by match_id, hand_index, deviation
),
totals as (
  select match_id, deviation, count(*) as hands, sum(moved) as moved, arg_max(hand_index, (moved, -hand_index)) as hand_index
  from hands_moved
  group by match_id, deviation
)
select
  m.event, m.game, g.match_id, g.deviation, g.seat, g.player,
  any_value(t.hands) as hands, sum(g.gained) as gained, any_value(t.moved) as moved, any_value(t.hand_index) as hand_index
from amounts as g
join totals as t on t.match_id = g.match_id and t.deviation = g.deviation
join stored.matches as m on m.match_id = g.match_id
group by m.event, m.game, g.match_id, g.deviation, g.seat, g.player
