-- name: exchanges
-- suffixes: by_opponent, before_lock
-- grain: event x game x player x street x kind x exchanged, games whose logs hold exchanges
-- only_if: changes: true
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   street  TINYINT  0 preflop, 1 flop, 2 turn: the street on which the cards changed, as its cards came or by an action
--   kind  VARCHAR  swap: the rules exchange hole cards by chance; redraw, board_redraw: the player chose to replace a hole card, a card of the board
--   exchanged  BOOLEAN  whether a card of the player's (board_redraw: of the board, by the player) was exchanged
--   opportunities  BIGINT  hands in which it could be: swap: the player was in as the street began; else: it chose an action on the street
--   successes  BIGINT  those in which it was, or was not
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate
--   high  DOUBLE  upper end
--   bb_per_100  DOUBLE  bb won per 100 of these hands
--   bb_per_100_low  DOUBLE  lower end of its 95% interval
--   bb_per_100_high  DOUBLE  upper end
-- definition: how often cards were exchanged, and the winnings of hands with and without an exchange. A swap
--   is chance, so the difference is its effect. A player who chooses to redraw mostly holds a weaker hand.
--   Hands are independent here. Damaged hands are left out; the means also leave out hands whose award is not
--   in the log.
with kinds as (
  select distinct m.game, c.kind, c.street, c.kind not like '%redraw' as by_chance
  from stored.changes as c
  join stored.matches as m on m.match_id = c.match_id
  join stored.games as g on g.game = m.game
  where c.kind like '%redraw' or (g.swaps and c.kind not in ('discard', 'pass'))
),
possible as (
  select a.match_id, a.hand_index, a.seat, k.street, k.kind
  from stored.actions as a
  join stored.matches as m on m.match_id = a.match_id
  join kinds as k on k.game = m.game and k.street = a.street and not k.by_chance
  where a.origin = 'choice'
  group by all
  union all
  select s.match_id, s.hand_index, s.seat, k.street, k.kind
  from stored.seats as s
  join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
  join kinds as k on k.game = h.game and k.by_chance and h.streets > k.street
  left join stored.actions as a
    on a.match_id = s.match_id and a.hand_index = s.hand_index and a.seat = s.seat and a.action = 'fold' and a.street < k.street
  where a.match_id is null
),
changed as (
  select distinct match_id, hand_index, seat, street, kind from stored.changes
),
counted as (
  select
    p.event, p.game, p.player, p.namesake_seat as seat,
    /*by_opponent p.opponent, */
    cast(c.street as tinyint) as street, c.kind, d.match_id is not null as exchanged,
    count(*) as successes,
    count(s.delta) as paid_hands,
    100 * avg(s.delta / p.unit) as bb_per_100,
    100 * stddev_samp(s.delta / p.unit) as deviation
  from possible as c
  join counted_hands as h on h.match_id = c.match_id and h.hand_index = c.hand_index
  join stored.seats as s on s.match_id = c.match_id and s.hand_index = c.hand_index and s.seat = c.seat
  join players as p on p.match_id = c.match_id and p.seat = c.seat
  left join changed as d
    on d.match_id = c.match_id and d.hand_index = c.hand_index and d.seat = c.seat and d.street = c.street and d.kind = c.kind
  group by all
)
select
  event, game, player, seat,
  /*by_opponent opponent, */
  street, kind, exchanged,
  cast(sum(successes) over (partition by event, game, player, seat, /*by_opponent opponent, */street, kind) as bigint) as opportunities,
  successes,
  rate_of(successes, opportunities) as rate,
  wilson_low(successes, opportunities) as low,
  wilson_high(successes, opportunities) as high,
  bb_per_100,
  bb_per_100 - t_975(paid_hands - 1) * deviation / sqrt(paid_hands) as bb_per_100_low,
  bb_per_100 + t_975(paid_hands - 1) * deviation / sqrt(paid_hands) as bb_per_100_high
from counted
