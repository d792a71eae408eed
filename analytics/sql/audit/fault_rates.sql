-- name: fault_rates
-- suffixes: by_match
-- grain: player x kind x block of 100 hands
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   kind  VARCHAR  illegal, misformatted, late, disconnected
--   block  INTEGER  hundreds of hands played in the match before, from 0
--   hands  BIGINT  hands of the player in that block
--   faulty  BIGINT  of them with a fault of the kind
--   faults  BIGINT  such faults
--   rate  DOUBLE  faulty / hands
--   rate_low  DOUBLE  lower end of its 95% interval
--   rate_high  DOUBLE  upper end
--   match_id  UBIGINT  match of the first such fault, null without one; by_match the match
--   hand_index  INTEGER  hand of that fault
-- definition: faults of bots over the course of a match, as the engine reported them. A player with a fault
--   of the kind in any block has a row for every block. The interval treats hands as independent, which is
--   wrong for a match in which a bot broke down. If a fault ended its hand, and the hand is therefore not
--   stored, it counts for the hand before. A fault whose line does not identify the player (one name twice)
--   is left out.
with played as (
  select p.event, p.game, p.player, p.namesake_seat as seat, p.seat as at, h.match_id, h.hand_index,
    h.hand_index // 100 as block
  from stored.hands as h
  join players as p on p.match_id = h.match_id
),
told as (
  select f.match_id, least(f.hand_index, m.hands - 1) as hand_index, f.seat, f.kind, count(*) as faults
  from stored.faults as f
  join stored.matches as m on m.match_id = f.match_id
  where f.seat is not null
  group by all
),
kinds as (
  select distinct p.event, p.game, p.player, p.seat, /*by_match p.match_id, */t.kind
  from told as t
  join played as p on p.match_id = t.match_id and p.hand_index = t.hand_index and p.at = t.seat
)
select
  k.event, k.game, k.player, k.seat, k.kind, p.block,
  count(*) as hands,
  count(t.faults) as faulty,
  coalesce(cast(sum(t.faults) as bigint), 0) as faults,
  rate_of(count(t.faults), count(*)) as rate,
  wilson_low(count(t.faults), count(*)) as rate_low,
  wilson_high(count(t.faults), count(*)) as rate_high,
  coalesce(arg_min(t.match_id, (t.match_id, t.hand_index))/*by_match , k.match_id*/) as match_id,
  arg_min(t.hand_index, (t.match_id, t.hand_index)) as hand_index
from kinds as k
join played as p on p.event = k.event and p.game = k.game and p.player = k.player and p.seat is not distinct from k.seat
  /*by_match and p.match_id = k.match_id */
left join told as t on t.match_id = p.match_id and t.hand_index = p.hand_index and t.seat = p.at and t.kind = k.kind
group by k.event, k.game, k.player, k.seat, /*by_match k.match_id, */k.kind, p.block
