-- name: koper_tendencies
-- grain: event x player
-- columns:
--   event  VARCHAR  what tells players of one name apart
--   player  VARCHAR  the log's own name
--   seat  TINYINT  the seat where the match holds the name twice, else null
--   asked  BIGINT  games in which the player was asked to fold or bet in round 1
--   folds  BIGINT  of those, folded
--   fold_rate  DOUBLE  folds / asked
--   fold_low  DOUBLE  lower end of the 95% Wilson interval of fold_rate
--   fold_high  DOUBLE  upper end
--   win_prob_folded  DOUBLE  mean equity with which the player folded, 0 to 1
--   win_prob_played  DOUBLE  mean equity with which the player bet in round 1
--   bet_1  DOUBLE  mean bet of round 1, chips
--   step_2  DOUBLE  mean of bet 2 / bet 1, from 0.5 to 1.5 but for players out of chips
--   step_3  DOUBLE  mean of bet 3 / bet 2 where that is not 0, from 0.75 to 1.25 likewise
--   showdowns  BIGINT  games that came to a showdown with the player in them
--   showdowns_won  BIGINT  of those, won or shared
--   won_rate  DOUBLE  showdowns_won / showdowns
--   won_low  DOUBLE  lower end of the 95% Wilson interval of won_rate
--   won_high  DOUBLE  upper end
-- definition: how a player bets in Koper, over all matches of an event. Only the player's own decisions count;
--   damaged games are left out.
select
  *,
  rate_of(showdowns_won, showdowns) as won_rate,
  wilson_low(showdowns_won, showdowns) as won_low,
  wilson_high(showdowns_won, showdowns) as won_high
from (
  select
    p.event, p.player, p.namesake_seat as seat,
    count(h.win_prob_1) as asked,
    count(*) filter (where h.folded) as folds,
    rate_of(count(*) filter (where h.folded), count(h.win_prob_1)) as fold_rate,
    wilson_low(count(*) filter (where h.folded), count(h.win_prob_1)) as fold_low,
    wilson_high(count(*) filter (where h.folded), count(h.win_prob_1)) as fold_high,
    avg(h.win_prob_1) filter (where h.folded) as win_prob_folded,
    avg(h.win_prob_1) filter (where not h.folded) as win_prob_played,
    avg(h.bet_1) as bet_1,
    avg(h.bet_2 / h.bet_1) as step_2,
    avg(h.bet_3 / h.bet_2) filter (where h.bet_2 > 0) as step_3,
    count(h.hand_score) as showdowns,
    count(h.hand_score) filter (where s.win_share > 0) as showdowns_won
  from koper_history as h
  join stored.seats as s
    on s.match_id = h.match_id and s.hand_index = h.hand_index and s.seat = h.player_index
  join players as p on p.match_id = h.match_id and p.seat = h.player_index
  left join damaged_hands as d on d.match_id = h.match_id and d.hand_index = h.hand_index
  where d.match_id is null
  group by all
)
