-- name: fold_frequency_by_match
-- suffixes: before_lock
-- grain: match x seat x street x position
-- columns:
--   match_id  UBIGINT  key of the match
--   seat  TINYINT  seat in the match, from 0
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   opponent  VARCHAR  name of the opponent
--   namesake_seat  TINYINT  as in the view players
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   position  VARCHAR  place in the hand: SB (heads-up the dealer), BB
--   opportunities  BIGINT  decisions facing a bet
--   successes  BIGINT  folds among them
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of opportunities: fewer if they cluster
--   spread  STRUCT(clusters BIGINT, kk DOUBLE, nn DOUBLE, kn DOUBLE)  sums from which effective_n is computed; they add up over matches
-- definition: fold_frequency, match by match. Damaged hands are left out.
select
  * exclude (spread),
  rate_of(successes, opportunities) as rate,
  rate_low(successes, opportunities, spread) as low,
  rate_high(successes, opportunities, spread) as high,
  effective_n(successes, opportunities, spread) as effective_n,
  spread
from (
  select
    n.match_id, n.seat, p.event, p.game, p.player, p.opponent, p.namesake_seat, n.street, q.position,
    cast(sum(n.faced) as bigint) as opportunities,
    cast(sum(n.folds) as bigint) as successes,
    spread_of(n.faced, n.folds, n.cluster) as spread
  from (
    select
      a.match_id, a.seat, a.street, h.cluster,
      position_of(e.place, a.seat, h.dealer_seat, h.n_players) as place,
      count(*) as faced,
      count(*) filter (where a.action = 'fold') as folds
    from stored.actions as a
    join counted_hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
    left join short_tables as e on e.match_id = a.match_id and e.hand_index = a.hand_index and e.seat = a.seat
    where a.to_call > 0 and a.origin = 'choice' and not h.simultaneous and a.action in ('fold', 'call', 'raise')
    group by all
  ) as n
  join players as p on p.match_id = n.match_id and p.seat = n.seat
  join positions as q on q.match_id = n.match_id and q.place = n.place
  group by all
)
