-- name: koper_tendencies
-- grain: event x player
-- columns:
--   event  VARCHAR  what tells players of one name apart
--   player  VARCHAR  the log's own name
--   seat  TINYINT  namesake_seat of the player (view players), else null
--   asked  BIGINT  games in which the player was asked to fold or bet in round 1
--   folds  BIGINT  of those, folded
--   fold_rate  DOUBLE  folds / asked
--   fold_low  DOUBLE  lower end of the 95% Wilson interval of fold_rate for the effective n
--   fold_high  DOUBLE  upper end
--   win_prob_folded  DOUBLE  mean equity with which the player folded, 0 to 1
--   win_prob_played  DOUBLE  mean equity with which the player bet in round 1
--   bet_1  DOUBLE  mean bet of round 1, chips
--   step_2  DOUBLE  mean of bet 2 / bet 1, from 0.5 to 1.5 but for players out of chips
--   step_3  DOUBLE  mean of bet 3 / bet 2 where that is not 0, from 0.75 to 1.25 likewise
--   showdowns  BIGINT  games that came to a showdown with the player in them
--   showdowns_won  BIGINT  of those, won or shared
--   won_rate  DOUBLE  showdowns_won / showdowns
--   won_low  DOUBLE  lower end of the 95% Wilson interval of won_rate for the effective n
--   won_high  DOUBLE  upper end
--   matches  BIGINT  matches played, the clusters of both intervals
--   step_2_low  DOUBLE  lower end of the 95% interval of step_2, mean -+ t * s / sqrt(n) over games
--   step_2_high  DOUBLE  upper end
--   step_3_low  DOUBLE  lower end of the 95% interval of step_3
--   step_3_high  DOUBLE  upper end
--   cap_use  DOUBLE  mean of min(pot, seats.win_cap) / pot at a showdown: what part of the pot the player could win
--   cap_use_low  DOUBLE  lower end of its 95% interval, mean -+ t * s / sqrt(showdowns), within 0 and 1
--   cap_use_high  DOUBLE  upper end
--   redistributed  DOUBLE  chips from the redistribution of what prizes left in the pot
--   redistributed_per_game  DOUBLE  redistributed / games asked
-- definition: how a player bets in Koper, over all matches of an event. Only the player's own decisions count;
--   damaged games are left out. The winning cap is four times the chips put in; of a player who was eliminated in
--   round 1 and whom the engines let win, four times the buy-in, without the chips that were taken from him.
with games as (
  select
    p.event, p.player, p.namesake_seat as seat, h.match_id, h.folded, h.win_prob_1, h.bet_1, h.hand_score,
    h.bet_2 / h.bet_1 as step_2,
    if(h.bet_2 > 0, h.bet_3 / h.bet_2, null) as step_3,
    s.win_share, s.redistributed,
    if(h.hand_score is not null, least(h.final_pot, s.win_cap) / h.final_pot, null) as cap_use
  from koper_history as h
  join stored.seats as s
    on s.match_id = h.match_id and s.hand_index = h.hand_index and s.seat = h.player_index
  join players as p on p.match_id = h.match_id and p.seat = h.player_index
  anti join damaged_hands as d on d.match_id = h.match_id and d.hand_index = h.hand_index
)
select
  event, player, seat, asked, folds,
  rate_of(folds, asked) as fold_rate,
  rate_low(folds, asked, fold_spread) as fold_low,
  rate_high(folds, asked, fold_spread) as fold_high,
  win_prob_folded, win_prob_played, bet_1, step_2, step_3, showdowns, showdowns_won,
  rate_of(showdowns_won, showdowns) as won_rate,
  rate_low(showdowns_won, showdowns, won_spread) as won_low,
  rate_high(showdowns_won, showdowns, won_spread) as won_high,
  matches,
  step_2 - half_2 as step_2_low,
  step_2 + half_2 as step_2_high,
  step_3 - half_3 as step_3_low,
  step_3 + half_3 as step_3_high,
  cap_use,
  if(half_cap is null, null, greatest(cap_use - half_cap, 0)) as cap_use_low,
  if(half_cap is null, null, least(cap_use + half_cap, 1)) as cap_use_high,
  redistributed,
  redistributed / nullif(asked, 0) as redistributed_per_game
from (
  select
    g.*, w.fold_spread, w.won_spread, w.matches,
    t_975(g.steps_2 - 1) * g.sd_2 / sqrt(g.steps_2) as half_2,
    t_975(g.steps_3 - 1) * g.sd_3 / sqrt(g.steps_3) as half_3,
    t_975(g.showdowns - 1) * g.sd_cap / sqrt(g.showdowns) as half_cap
  from (
    select
      event, player, seat,
      count(win_prob_1) as asked,
      count(*) filter (where folded) as folds,
      avg(win_prob_1) filter (where folded) as win_prob_folded,
      avg(win_prob_1) filter (where not folded) as win_prob_played,
      avg(bet_1) as bet_1,
      avg(step_2) as step_2,
      count(step_2) as steps_2,
      stddev_samp(step_2) as sd_2,
      avg(step_3) as step_3,
      count(step_3) as steps_3,
      stddev_samp(step_3) as sd_3,
      count(hand_score) as showdowns,
      count(hand_score) filter (where win_share > 0) as showdowns_won,
      avg(cap_use) as cap_use,
      stddev_samp(cap_use) as sd_cap,
      coalesce(sum(redistributed), 0) as redistributed
    from games
    group by all
  ) as g
  join (
    select
      event, player, seat,
      count(*) as matches,
      spread_of(asked, folds, match_id) as fold_spread,
      spread_of(showdowns, showdowns_won, match_id) as won_spread
    from (
      select
        event, player, seat, match_id,
        count(win_prob_1) as asked,
        count(*) filter (where folded) as folds,
        count(hand_score) as showdowns,
        count(hand_score) filter (where win_share > 0) as showdowns_won
      from games
      group by all
    )
    group by all
  ) as w on w.event = g.event and w.player = g.player and w.seat is not distinct from g.seat
)
