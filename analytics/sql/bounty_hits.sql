-- name: bounty_hits
-- suffixes: by_opponent, before_lock
-- grain: event x game x player, games with a bounty
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   hands  BIGINT  hands for which the log shows whether the player's rank was hit
--   hits  BIGINT  the player's bounty rank was among its hole cards or on the board dealt so far
--   hit_rate  DOUBLE  hits / hands; null if some hands are missing, because the others are not a fair sample
--   hit_rate_low  DOUBLE  lower end of its 95% Wilson interval for the effective n
--   hit_rate_high  DOUBLE  upper end
--   own_hits  BIGINT  hits with the hole cards; null if the rank is unknown
--   board_hits  BIGINT  hits with the board, some with both; null like hits
--   wins  BIGINT  hands won, by fold or by cards
--   hits_when_winning  BIGINT  hits among them
--   rate_when_winning  DOUBLE  hits_when_winning / wins
--   rate_when_winning_low  DOUBLE  lower end of its 95% Wilson interval for the effective n
--   rate_when_winning_high  DOUBLE  upper end
--   chips_brought  DOUBLE  chips won beyond what plain hold'em pays
--   chips_cost  DOUBLE  chips lost beyond that
-- definition: Bounty. Plain hold'em pays the winner what the loser put into the pot and nothing in a split pot.
--   What the log paid beyond that, rounding and one-sided splits included, is brought or cost. The board is the one
--   dealt when the hand ended. Clusters are the blocks of 25 rounds with the same ranks. Damaged and unverified
--   hands are left out. A player learns about another's rank only from the pay (docs/visibility.md).
select
  event, game, player, seat,
  /*by_opponent opponent, */
  hands,
  hits,
  if(hands = verified, rate_of(hits, hands), null) as hit_rate,
  if(hands = verified, rate_low(hits, hands, hit_spread), null) as hit_rate_low,
  if(hands = verified, rate_high(hits, hands, hit_spread), null) as hit_rate_high,
  own_hits, board_hits,
  wins,
  hits_when_winning,
  rate_of(hits_when_winning, wins) as rate_when_winning,
  rate_low(hits_when_winning, wins, win_spread) as rate_when_winning_low,
  rate_high(hits_when_winning, wins, win_spread) as rate_when_winning_high,
  chips_brought,
  chips_cost
from (
  select
    event, game, player, namesake_seat as seat,
    /*by_opponent opponent, */
    sum(verified) as verified,
    cast(sum(hands) as bigint) as hands,
    cast(sum(hits) as bigint) as hits,
    cast(sum(own_hits) as bigint) as own_hits,
    cast(sum(board_hits) as bigint) as board_hits,
    cast(sum(wins) as bigint) as wins,
    cast(sum(hits_when_winning) as bigint) as hits_when_winning,
    sum(chips_brought) as chips_brought,
    sum(chips_cost) as chips_cost,
    added_spread(hit_spread) as hit_spread,
    added_spread(win_spread) as win_spread
  from bounty_hits_by_match
  group by all
)
