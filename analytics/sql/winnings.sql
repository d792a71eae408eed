-- name: winnings
-- suffixes: by_opponent
-- grain: event x game x player
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   matches  BIGINT  matches played
--   hands  BIGINT  hands whose award is in the log
--   delta  DOUBLE  chips won, as logged
--   showdown  DOUBLE  chips won in hands that came to a showdown
--   non_showdown  DOUBLE  chips won in hands that ended by a fold
--   bb_per_100  DOUBLE  bb won per 100 hands, 100 * the sum of delta / unit over hands
--   bb_per_100_low  DOUBLE  lower end of its 95% interval
--   bb_per_100_high  DOUBLE  upper end
--   mbb_per_hand  DOUBLE  1000 * the mean of delta / unit
--   mbb_per_hand_low  DOUBLE  lower end of its 95% interval
--   mbb_per_hand_high  DOUBLE  upper end
--   sd_per_100  DOUBLE  bb, 10 x the standard deviation of a hand's delta / unit
--   blocks  BIGINT  units of sampling
-- definition: what a player won over all matches, luck included. The interval is mean +- t * se as in
--   results, over independent units: in Bounty blocks of 25 rounds; in Koper matches, with those on the same cards
--   (a tournament's five) as one; in the ACPC's games a hand's cards in every match that dealt them; elsewhere
--   hands. Every hand that did not end by a fold counts as a showdown, as in bankroll_curve.
with entries as (
  select p.*, p.namesake_seat as name_seat, g.cluster, g.cluster_hands, g.shared_cards, m.card_set, deck_of(m.match_id, m.card_set) as deck
  from players as p
  join stored.matches as m on m.match_id = p.match_id
  join stored.games as g on g.game = p.game
),
-- The units of sampling: those of a match that nobody else was dealt, then a deck's (in Koper one) over its matches.
units as (
  select
    p.event, p.game, p.player, p.name_seat,
    /*by_opponent p.opponent, */
    w.blocks,
    w.block_squares / p.unit ** 2 as block_squares,
    w.block_products / p.unit as block_products,
    w.block_hands_squares
  from winnings_by_match as w
  join entries as p on p.match_id = w.match_id and p.seat = w.seat
  where p.deck = p.match_id
  union all
  select
    event, game, player, name_seat,
    /*by_opponent opponent, */
    1, bb ** 2, bb * hands, hands ** 2
  from (
    select
      p.event, p.game, p.player, p.name_seat,
      /*by_opponent p.opponent, */
      sum(s.delta / p.unit) as bb,
      count(*) as hands
    from entries as p
    join stored.seats as s on s.match_id = p.match_id and s.seat = p.seat
    join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
    where p.deck <> p.match_id and s.delta is not null
    group by p.event, p.game, p.player, p.name_seat, /*by_opponent p.opponent, */p.deck,
      unit_of(p.cluster, p.cluster_hands, p.shared_cards, h.hand_index, h.hand_no)
  )
)
select
  event, game, player, seat,
  /*by_opponent opponent, */
  matches, hands, delta, showdown, delta - showdown as non_showdown,
  100 * mean as bb_per_100,
  100 * (mean - t_975(blocks - 1) * se) as bb_per_100_low,
  100 * (mean + t_975(blocks - 1) * se) as bb_per_100_high,
  1000 * mean as mbb_per_hand,
  1000 * (mean - t_975(blocks - 1) * se) as mbb_per_hand_low,
  1000 * (mean + t_975(blocks - 1) * se) as mbb_per_hand_high,
  if(hands > 1, 10 * sqrt(low_end(squares - hands * mean * mean) / (hands - 1)), null) as sd_per_100,
  blocks
from (
  select
    *,
    bb / hands as mean,
    ratio_se(bb / hands, hands, blocks, block_squares, block_products, block_hands_squares) as se
  from (
    select
      p.event, p.game, p.player, p.name_seat as seat,
      /*by_opponent p.opponent, */
      count(*) as matches,
      cast(sum(w.hands) as bigint) as hands,
      sum(w.delta) as delta,
      sum(coalesce(k.showdown, 0)) as showdown,
      sum(w.delta / p.unit) as bb,
      sum(w.squares / p.unit ** 2) as squares
    from winnings_by_match as w
    left join (
      select s.match_id, s.seat, sum(s.delta) as showdown
      from stored.seats as s
      join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
      where h.ended_by is distinct from 'fold'
      group by s.match_id, s.seat
    ) as k on k.match_id = w.match_id and k.seat = w.seat
    join entries as p on p.match_id = w.match_id and p.seat = w.seat
    group by all
  ) as t
  join (
    select
      event as unit_event, game as unit_game, player as unit_player, name_seat as unit_seat,
      /*by_opponent opponent as unit_opponent, */
      cast(sum(blocks) as bigint) as blocks,
      sum(block_squares) as block_squares,
      sum(block_products) as block_products,
      sum(block_hands_squares) as block_hands_squares
    from units
    group by all
  ) as u
    on u.unit_event = t.event and u.unit_game = t.game and u.unit_player = t.player
    and u.unit_seat is not distinct from t.seat
    /*by_opponent and u.unit_opponent is not distinct from t.opponent */
)
