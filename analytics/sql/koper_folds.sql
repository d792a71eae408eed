-- name: koper_folds
-- grain: event x player x engine equity in tenths
-- columns:
--   event  VARCHAR  tournament or event of the match
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   chance_bin  TINYINT  the equity that the engine gave the player in round 1, in tenths; 2: from 0.2 up to 0.3
--   opportunities  BIGINT  round-1 decisions of the player with such an equity
--   successes  BIGINT  opportunities in which the player folded
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of opportunities: fewer if they cluster in a match
--   bets  BIGINT  games in which the player bet
--   bet_1  DOUBLE  mean bet of round 1, chips; null if all were folded
--   bet_1_low  DOUBLE  lower end of its 95% interval, over matches as in koper_tendencies; null of one bet or match
--   bet_1_high  DOUBLE  upper end; null of one bet or match
-- definition: Koper: round-1 folds and bet sizes by the equity that the engine gave the player. Only the player's
--   own decisions count; damaged games are left out.
select
  * exclude (spread, bets, chips, half),
  rate_of(successes, opportunities) as rate,
  rate_low(successes, opportunities, spread) as low,
  rate_high(successes, opportunities, spread) as high,
  effective_n(successes, opportunities, spread) as effective_n,
  bets,
  chips / nullif(bets, 0) as bet_1,
  low_end(bet_1 - half) as bet_1_low,
  bet_1 + half as bet_1_high
from (
  select
    p.event, p.player, p.namesake_seat as seat, c.chance_bin,
    cast(sum(c.asked) as bigint) as opportunities,
    cast(sum(c.folds) as bigint) as successes,
    spread_of(c.asked, c.folds, c.match_id) as spread,
    cast(sum(c.bets) as bigint) as bets,
    sum(c.chips) as chips,
    mean_half(sum(c.chips), sum(c.bets), sum(c.squares), spread_of(c.bets, coalesce(c.chips, 0), c.match_id)) as half
  from (
    select
      h.match_id, h.player_index, cast(least(floor(10 * h.win_prob_1), 9) as tinyint) as chance_bin,
      count(*) as asked,
      count(*) filter (where h.folded) as folds,
      count(h.bet_1) as bets,
      sum(h.bet_1) as chips,
      sum(h.bet_1 ** 2) as squares
    from koper_history as h
    anti join damaged_hands as d on d.match_id = h.match_id and d.hand_index = h.hand_index
    where h.win_prob_1 is not null
    group by all
  ) as c
  join players as p on p.match_id = c.match_id and p.seat = c.player_index
  group by all
)
