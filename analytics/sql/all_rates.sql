-- name: all_rates
-- suffixes: by_opponent, before_lock
-- grain: event x game x player x statistic, of folds x street x position
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   statistic  VARCHAR  its name in statistics; afq, aggression_pct, fold_to_bet
--   label  VARCHAR  its usual name
--   street  TINYINT  of folds: 0 preflop
--   position  VARCHAR  of folds: place in the hand
--   opportunities  BIGINT  n of the rate
--   successes  BIGINT  opportunities that were taken
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of its 95% interval
--   high  DOUBLE  upper end
--   place  INTEGER  order in which the rates are shown
-- definition: what railbird stats shows first: the rates of tendencies, aggression and fold_frequency in one table.
select
  event, game, player, seat, /*by_opponent opponent, */ statistic, label, street, position, opportunities, successes,
  rate, low, high, cast(place as integer) as place
from (
  select
    event, game, player, seat, /*by_opponent opponent, */ statistic, label, place,
    null::tinyint as street, null as position, opportunities, successes, rate, low, high
  from tendencies
  join statistics using (statistic)
  union all by name
  select
    event, game, player, seat, /*by_opponent opponent, */ 'afq' as statistic, 'aggression frequency' as label,
    100 as place, bets + raises + calls + folds as opportunities, bets + raises as successes, afq as rate,
    afq_low as low, afq_high as high
  from aggression
  union all by name
  select
    event, game, player, seat, /*by_opponent opponent, */ 'aggression_pct' as statistic, 'aggression %' as label,
    101 as place, bets + raises + calls + checks as opportunities, bets + raises as successes,
    aggression_pct as rate, aggression_pct_low as low, aggression_pct_high as high
  from aggression
  union all by name
  select
    event, game, player, seat, /*by_opponent opponent, */ 'fold_to_bet' as statistic,
    'fold ' || street_name(street, game) || ' ' || position as label,
    200 + 20 * street::integer + position_place(position) as place, street, position,
    opportunities, successes, rate, low, high
  from fold_frequency
)
