-- name: beliefs
-- grain: event x game x player x tenth
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   tenth  TINYINT  tenth of the probability that it noted: 1 for below 0.1, to 10 for 0.9 and above; null for all
--   opportunities  BIGINT  decisions with a probability
--   hands  BIGINT  hands with such decisions
--   believed  DOUBLE  mean of the probabilities
--   successes  BIGINT  decisions in hands in which the player won chips
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of opportunities: fewer if they cluster
--   n_exact  BIGINT  decisions whose exact equity against the hands really held is known
--   equity  DOUBLE  its mean
--   off  DOUBLE  mean of the probability less it: above 0 the player believed in too much
--   off_low  DOUBLE  lower end of the 95% interval of off; null of one hand
--   off_high  DOUBLE  upper end
--   error  DOUBLE  mean distance of the probability from it
--   unseen  DOUBLE  mean of the exact equity against a uniform unseen hand, if known
-- definition: the probabilities that a player gave with its decisions (notes.probability), compared with the
--   outcome: whether it won chips in the hand, and the exact equity of its cards after the cards of the
--   street, against the hands really held and against a uniform unseen hand. A player cannot see the others'
--   cards, so a single probability may be far from equity_actual; the mean of many should not be. Intervals
--   are over hands: Wilson's for effective_n, and mean -+ t * se by the ratio estimator (macro mean_half).
--   Only games in which players act in turn.
with noted as (
  select
    s.event, s.game, s.player, s.namesake_seat as seat, s.match_id, s.hand_index,
    n.probability, e.equity_actual, s.equity_own,
    d.delta > 0 as won,
    tenth_of(n.probability) as own
  from stored.notes as n
  join strengths as s
    on s.match_id = n.match_id and s.hand_index = n.hand_index and s.seq = n.seq and s.seat = n.seat
  join stored.seats as d on d.match_id = n.match_id and d.hand_index = n.hand_index and d.seat = n.seat
  left join equities as e
    on e.match_id = s.match_id and e.hand_index = s.hand_index and e.seat = s.seat and e.street = s.street
    and e.board_no is not distinct from s.board_no
  where n.probability is not null and d.delta is not null
),
tenths as (
  select *, unnest([own, null]) as tenth from noted
),
by_hand as (
  select
    event, game, player, seat, tenth, match_id, hand_index,
    count(*) as n,
    count(*) filter (where won) as k,
    sum(probability) as believed,
    count(equity_actual) as n_exact,
    sum(equity_actual) as equity,
    sum(probability - equity_actual) as off,
    sum((probability - equity_actual) ** 2) as squares,
    sum(abs(probability - equity_actual)) as error,
    count(equity_own) as n_unseen,
    sum(equity_own) as unseen
  from tenths
  group by all
),
summed as (
  select
    event, game, player, seat, tenth,
    cast(sum(n) as bigint) as opportunities,
    count(*) as hands,
    sum(believed) / sum(n) as believed,
    cast(sum(k) as bigint) as successes,
    spread_of(n, k, row_number) as spread,
    cast(sum(n_exact) as bigint) as n_exact,
    sum(equity) as equity,
    sum(off) as off,
    sum(error) as error,
    mean_half(sum(off), sum(n_exact), sum(squares), spread_of(n_exact, coalesce(off, 0), row_number)) as half,
    sum(unseen) / nullif(sum(n_unseen), 0) as unseen
  from (select *, row_number() over () as row_number from by_hand)
  group by all
)
select
  event, game, player, seat, tenth, opportunities, hands, believed, successes,
  rate_of(successes, opportunities) as rate,
  rate_low(successes, opportunities, spread) as low,
  rate_high(successes, opportunities, spread) as high,
  effective_n(successes, opportunities, spread) as effective_n,
  n_exact,
  equity / nullif(n_exact, 0) as equity,
  off / nullif(n_exact, 0) as off,
  off / nullif(n_exact, 0) - half as off_low,
  off / nullif(n_exact, 0) + half as off_high,
  error / nullif(n_exact, 0) as error,
  unseen
from summed
