-- Faults of each player by kind: how often, when first, what the engine played instead, and what the player won in the
-- hands with such a fault and in its other hands. $ids are the matches in the order of play. Faults whose line does not
-- identify the player are left out. A fault in a hand that it ended, and that is not stored because of it, counts for the
-- hand before. What the engine played is its next action for the player in that hand; none: it played nothing, such as
-- after a late answer that counted. The rate's interval treats hands as independent, which those of one broken match are
-- not; the intervals of chips go by units of sampling, as in the view winnings.
with chosen as (
  select unnest($ids) as match_id, generate_subscripts($ids, 1) as place
),
told as (
  select
    f.match_id, c.place, least(f.hand_index, m.hands - 1) as hand_index, f.seat as holder, f.kind, f.line,
    row_number() over () as fault
  from stored.faults as f
  join chosen as c on c.match_id = f.match_id
  join stored.matches as m on m.match_id = f.match_id
  where f.seat is not null
),
substituted as (
  select t.fault, arg_min(a.action, a.seq) as action
  from told as t
  join stored.actions as a
    on a.match_id = t.match_id and a.hand_index = t.hand_index and a.seat = t.holder
    and a.origin = 'substitute' and a.line >= t.line
  group by t.fault
),
named as (
  select
    p.event, p.game, p.player, p.namesake_seat as seat, t.kind, t.match_id, t.place, t.hand_index, t.holder,
    coalesce(s.action, 'none') as action
  from told as t
  join players as p on p.match_id = t.match_id and p.seat = t.holder
  left join substituted as s on s.fault = t.fault
),
replaced as (
  select
    event, game, player, seat, kind, sum(n) as faults,
    string_agg(action || ' ' || n, ', ' order by n desc, action) as instead
  from (select event, game, player, seat, kind, action, count(*) as n from named group by all)
  group by all
),
firsts as (
  select
    event, game, player, seat, kind,
    arg_min(match_id, (place, hand_index)) as match_id,
    arg_min(hand_index, (place, hand_index)) as hand_index
  from named
  group by all
),
-- All hands of the players with a fault of the kind, those with one and the others.
split_hands as (
  select
    r.event, r.game, r.player, r.seat, r.kind,
    f.match_id is not null as faulty,
    s.delta, s.delta / p.unit as bb,
    deck_of(m.match_id, m.card_set) as deck,
    unit_of(g.cluster, g.cluster_hands, g.shared_cards, s.hand_index, h.hand_no) as block
  from replaced as r
  join players as p on p.event = r.event and p.game = r.game and p.player = r.player and p.namesake_seat is not distinct from r.seat
  join chosen as c on c.match_id = p.match_id
  join stored.matches as m on m.match_id = p.match_id
  join stored.games as g on g.game = p.game
  join stored.seats as s on s.match_id = p.match_id and s.seat = p.seat
  join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
  left join (select distinct match_id, hand_index, holder, kind from named) as f
    on f.match_id = s.match_id and f.hand_index = s.hand_index and f.holder = s.seat and f.kind = r.kind
),
winnings_of as (
  select
    event, game, player, seat, kind, faulty, hands, delta,
    100 * bb / nullif(paid, 0) as mean,
    100 * t_975(blocks - 1) * ratio_se(bb / nullif(paid, 0), nullif(paid, 0), blocks, squares, products, hands_squares) as half
  from (
    select
      event, game, player, seat, kind, faulty,
      cast(sum(n) as bigint) as hands, sum(paid) as paid, if(sum(paid) > 0, sum(chips), null) as delta, sum(won) as bb,
      count(*) filter (where paid > 0) as blocks, sum(won * won) as squares, sum(won * paid) as products,
      sum(paid * paid) as hands_squares
    from (
      select
        event, game, player, seat, kind, faulty, deck, block,
        count(*) as n, count(delta) as paid, coalesce(sum(delta), 0) as chips, coalesce(sum(bb), 0) as won
      from split_hands
      group by all
    )
    group by event, game, player, seat, kind, faulty
  )
)
select
  r.event, r.game, r.player, r.seat, r.kind,
  w.hands + coalesce(o.hands, 0) as hands,
  w.hands as faulty,
  cast(r.faults as bigint) as faults,
  rate_of(w.hands, w.hands + coalesce(o.hands, 0)) as rate,
  wilson_low(w.hands, w.hands + coalesce(o.hands, 0)) as rate_low,
  wilson_high(w.hands, w.hands + coalesce(o.hands, 0)) as rate_high,
  r.instead,
  w.delta as chips,
  w.mean as bb_per_100, w.mean - w.half as bb_per_100_low, w.mean + w.half as bb_per_100_high,
  o.delta as chips_otherwise,
  o.mean as otherwise_bb_per_100, o.mean - o.half as otherwise_bb_per_100_low,
  o.mean + o.half as otherwise_bb_per_100_high,
  f.match_id, f.hand_index, true as concern
from replaced as r
join firsts as f on f.event = r.event and f.game = r.game and f.player = r.player and f.seat is not distinct from r.seat and f.kind = r.kind
join winnings_of as w on w.event = r.event and w.game = r.game and w.player = r.player and w.seat is not distinct from r.seat and w.kind = r.kind and w.faulty
left join winnings_of as o on o.event = r.event and o.game = r.game and o.player = r.player and o.seat is not distinct from r.seat and o.kind = r.kind and not o.faulty
order by r.event, r.game, w.hands desc, r.player, r.seat, r.kind
