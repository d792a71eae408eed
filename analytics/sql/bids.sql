-- name: bids
-- suffixes: by_opponent, before_lock
-- grain: event x game x player x outcome, games with auctions
-- only_if: games: auctions
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   outcome  VARCHAR  won: the higher bid; tied: equal bids, both pay and get a card; lost
--   opportunities  BIGINT  auctions in which the player chose its bid
--   successes  BIGINT  those with this outcome
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate
--   high  DOUBLE  upper end
--   bid  DOUBLE  mean bid, bb
--   bid_low  DOUBLE  lower end of its 95% interval
--   bid_high  DOUBLE  upper end
--   median_bid  DOUBLE  bb
--   bid_in_pots  DOUBLE  mean of bid / pot before the auction
--   price  DOUBLE  mean chips paid, bb: the lower bid; null if the player lost
--   bb_per_100  DOUBLE  bb won per 100 of these hands, price included
--   bb_per_100_low  DOUBLE  lower end of its 95% interval
--   bb_per_100_high  DOUBLE  upper end
-- definition: bids and their outcomes. The higher bid gets the card, or the look at one, and pays the lower
--   bid. Hands are independent here. Winnings are those of the whole hand. A player may bid more with a
--   better hand, so the difference between the outcomes is not the value of the card. Bids that the engine
--   made for a bot are left out, and damaged hands.
with bid as (
  select
    p.event, p.game, p.player, p.namesake_seat as seat,
    /*by_opponent p.opponent, */
    a.amount_logged / p.unit as bid,
    a.amount_logged / nullif(a.pot_before, 0) as in_pots,
    b.amount_logged / p.unit as other_bid,
    s.delta / p.unit as bb
  from actions as a
  join counted_hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
  join stored.games as g on g.game = h.game and g.auctions
  join actions as b
    on b.match_id = a.match_id and b.hand_index = a.hand_index and b.action = 'bid' and b.seat <> a.seat
  join stored.seats as s on s.match_id = a.match_id and s.hand_index = a.hand_index and s.seat = a.seat
  join players as p on p.match_id = a.match_id and p.seat = a.seat
  where a.action = 'bid' and a.origin = 'choice' and a.amount_logged is not null
),
counted as (
  select
    event, game, player, seat,
    /*by_opponent opponent, */
    case when bid > other_bid then 'won' when bid = other_bid then 'tied' when bid < other_bid then 'lost' end as outcome,
    count(*) as successes,
    count(bb) as paid_hands,
    avg(bid) as bid, stddev_samp(bid) as bid_deviation, median(bid) as median_bid, avg(in_pots) as bid_in_pots,
    avg(if(bid >= other_bid, other_bid, null)) as price,
    100 * avg(bb) as bb_per_100, 100 * stddev_samp(bb) as bb_deviation
  from bid
  group by all
)
select
  event, game, player, seat,
  /*by_opponent opponent, */
  outcome,
  cast(sum(successes) over (partition by event, game, player, seat/*by_opponent , opponent */) as bigint) as opportunities,
  successes,
  rate_of(successes, opportunities) as rate,
  wilson_low(successes, opportunities) as low,
  wilson_high(successes, opportunities) as high,
  bid,
  low_end(bid - t_975(successes - 1) * bid_deviation / sqrt(successes)) as bid_low,
  bid + t_975(successes - 1) * bid_deviation / sqrt(successes) as bid_high,
  median_bid, bid_in_pots, price, bb_per_100,
  bb_per_100 - t_975(paid_hands - 1) * bb_deviation / sqrt(paid_hands) as bb_per_100_low,
  bb_per_100 + t_975(paid_hands - 1) * bb_deviation / sqrt(paid_hands) as bb_per_100_high
from counted
