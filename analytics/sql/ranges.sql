-- name: ranges
-- suffixes: before_lock
-- grain: event x game x player x position x bet level x hole class
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   position  VARCHAR  place in the hand
--   bet_level  SMALLINT  bet level faced: 1 the blinds (Kuhn, Leduc: 0, no bet), 2 a raise, 3 a re-raise ...
--   hole_class  VARCHAR  AKs, AKo, AA; one card: its rank; three: their ranks; null for more, and if the cards were not seen
--   grid_row  TINYINT  row of the 13 x 13 grid, 0 for A to 12 for 2, 13 for a 1; pairs lie on the diagonal, suited hands above it
--   grid_column  TINYINT  column of the grid; both null if the hand does not have two cards
--   decisions  BIGINT  folds + checks + calls + raises
--   folds  BIGINT  among them
--   checks  BIGINT  among them
--   calls  BIGINT  among them; Koper: plays of round 1
--   raises  BIGINT  among them; Kuhn, Leduc: bets too
--   continues  DOUBLE  share of the decisions that are no fold
--   low  DOUBLE  lower end of its 95% Wilson interval
--   high  DOUBLE  upper end
-- definition: what a player did with which hole cards before the flop, folds included: every own decision of the
--   first betting street, so a hand counts once for each bet level at which the player decided. Blotto counts each
--   board with the cards sent to it, Koper its round 1, and Swap, Auction and Permutation the cards as dealt and
--   printed.
select
  *,
  rate_of(decisions - folds, decisions) as continues,
  wilson_low(decisions - folds, decisions) as low,
  wilson_high(decisions - folds, decisions) as high
from (
  select
    event, game, player, namesake_seat as seat, position, bet_level, hole_class,
    cast(if(hole_class[3] = 'o', lower_place, upper_place) as tinyint) as grid_row,
    cast(if(hole_class[3] = 'o', upper_place, lower_place) as tinyint) as grid_column,
    count(*) as decisions,
    count(*) filter (where action = 'fold') as folds,
    count(*) filter (where action = 'check') as checks,
    count(*) filter (where action in ('call', 'play')) as calls,
    count(*) filter (where action in ('bet', 'raise')) as raises
  from (
    select
      *,
      if(len(hole) = 2, strpos(ranks_high_first(), hole_class[1]) - 1, null) as upper_place,
      if(len(hole) = 2, strpos(ranks_high_first(), hole_class[2]) - 1, null) as lower_place
    from (
      select s.event, s.game, s.player, s.namesake_seat, s.position, s.bet_level, s.action, s.hole, hole_class(s.hole) as hole_class
      from situations as s
      join stored.games as g on g.game = s.game
      where s.street = g.first_street
    )
  )
  group by all
)
