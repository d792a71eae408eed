-- name: street_tendencies
-- suffixes: by_opponent, by_position, by_match, before_lock
-- grain: event x game x player x street x statistic
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   match_id  UBIGINT  by_match: key of the match
--   match_seat  TINYINT  by_match: seat in the match, from 0
--   opponent  VARCHAR  by_opponent|by_match: name of the opponent
--   position  VARCHAR  by_position: place in the hand
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   statistic  VARCHAR  its name in street_statistics
--   opportunities  BIGINT  hands with the opportunity on the street; in Blotto boards
--   successes  BIGINT  opportunities that were taken
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of opportunities: fewer if they cluster
-- definition: how often a player takes the opportunities that street_statistics describes: the sums of
--   street_chances. Damaged hands are left out. The view reads all actions: over 10 million hands it takes a minute
--   or more.
select
  * exclude (spread),
  rate_of(successes, opportunities) as rate,
  rate_low(successes, opportunities, spread) as low,
  rate_high(successes, opportunities, spread) as high,
  effective_n(successes, opportunities, spread) as effective_n
from (
  select
    p.event, p.game, p.player, p.namesake_seat as seat,
    /*by_match n.match_id, n.seat as match_seat, */
    /*by_opponent|by_match p.opponent, */
    /*by_position q.position, */
    n.street, n.statistic,
    cast(sum(n.opportunities) as bigint) as opportunities,
    cast(sum(n.successes) as bigint) as successes,
    spread_of(n.opportunities, n.successes, n.cluster) as spread
  from (
    select
      f.match_id, f.seat, f.cluster, f.street, /*by_position f.place, */ t.statistic,
      sum(f.hands) as opportunities,
      sum(if(f.taken & t.bit <> 0, f.hands, 0)) as successes
    from (
      select match_id, seat, cluster, street, chances, taken, /*by_position place, */ count(*) as hands
      from street_flags
      group by all
    ) as f
    join street_statistics as t on f.chances & t.bit <> 0
    group by all
  ) as n
  /*by_position join positions as q on q.match_id = n.match_id and q.place = n.place */
  join players as p on p.match_id = n.match_id and p.seat = n.seat
  group by all
)
