-- name: winnings
-- twins: by_opponent
-- grain: event x game x player
-- columns:
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   player  VARCHAR  the log's own name
--   seat  TINYINT  the seat where the match holds the name twice, else null
--   opponent  VARCHAR  by_opponent: the name across the table
--   matches  BIGINT  matches played
--   hands  BIGINT  hands whose award the log says
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
-- definition: what a player won over all matches, raw: luck is in it. The interval is mean +- t * se as in results,
--   over what is drawn anew: in Bounty blocks of 25 rounds, in Koper matches, in the ACPC's games a hand's cards in
--   every match that dealt them, elsewhere hands. Every hand counts that did not end by a fold as a showdown, as in
--   bankroll_curve.
with dealt_again as (
  select
    event, game, player, seat,
    /*by_opponent opponent, */
    count(*) as blocks,
    sum(bb ** 2) as block_squares,
    sum(bb * hands) as block_products,
    sum(hands ** 2) as block_hands_squares
  from (
    select
      p.event, p.game, p.player, p.namesake_seat as seat,
      /*by_opponent p.opponent, */
      sum(s.delta / p.unit) as bb,
      count(*) as hands
    from stored.matches as m
    join players as p on p.match_id = m.match_id
    join stored.seats as s on s.match_id = m.match_id and s.seat = p.seat
    where m.card_set is not null and m.game <> 'koper' and s.delta is not null
    group by p.event, p.game, p.player, p.namesake_seat, /*by_opponent p.opponent, */m.card_set, s.hand_index
  )
  group by all
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
  if(hands > 1, 10 * sqrt(greatest(squares - hands * mean * mean, 0) / (hands - 1)), null) as sd_per_100,
  blocks
from (
  select
    *,
    bb / hands as mean,
    if(
      blocks > 1,
      sqrt(
        blocks / (blocks - 1)
        * greatest(block_squares - 2 * bb / hands * block_products + (bb / hands) ** 2 * block_hands_squares, 0)
      ) / hands,
      null
    ) as se
  from (
    select
      o.* replace (
        cast(o.blocks + coalesce(a.blocks, 0) as bigint) as blocks,
        o.block_squares + coalesce(a.block_squares, 0) as block_squares,
        o.block_products + coalesce(a.block_products, 0) as block_products,
        o.block_hands_squares + coalesce(a.block_hands_squares, 0) as block_hands_squares
      )
    from (
      select
        p.event, p.game, p.player, p.namesake_seat as seat,
        /*by_opponent p.opponent, */
        count(*) as matches,
        cast(sum(w.hands) as bigint) as hands,
        sum(w.delta) as delta,
        sum(coalesce(k.showdown, 0)) as showdown,
        sum(w.delta / p.unit) as bb,
        sum(w.squares / p.unit ** 2) as squares,
        sum(if(p.game = 'koper', 1, if(m.card_set is null, w.blocks, 0))) as blocks,
        sum(if(p.game = 'koper', w.delta ** 2, if(m.card_set is null, w.block_squares, 0)) / p.unit ** 2) as block_squares,
        sum(if(p.game = 'koper', w.delta * w.hands, if(m.card_set is null, w.block_products, 0)) / p.unit) as block_products,
        sum(if(p.game = 'koper', w.hands ** 2, if(m.card_set is null, w.block_hands_squares, 0))) as block_hands_squares
      from winnings_by_match as w
      left join (
        select s.match_id, s.seat, sum(s.delta) as showdown
        from stored.seats as s
        join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
        where h.ended_by is distinct from 'fold'
        group by s.match_id, s.seat
      ) as k on k.match_id = w.match_id and k.seat = w.seat
      join players as p on p.match_id = w.match_id and p.seat = w.seat
      join stored.matches as m on m.match_id = w.match_id
      group by all
    ) as o
    left join dealt_again as a
      on a.event = o.event and a.game = o.game and a.player = o.player and a.seat is not distinct from o.seat
      /*by_opponent and a.opponent is not distinct from o.opponent */
  )
)
