-- name: bet_answers_by_match
-- suffixes: before_lock
-- grain: match x seat x street x size bin x answer
-- columns:
--   match_id  UBIGINT  key of the match
--   seat  TINYINT  seat in the match, from 0
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   opponent  VARCHAR  name of the opponent
--   namesake_seat  TINYINT  as in the view players
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   size_bin  TINYINT  1 to 6 (size_name), of decisions.size_faced; null if only blinds are faced
--   answer  VARCHAR  fold, call or raise
--   opportunities  BIGINT  own decisions facing such a bet
--   successes  BIGINT  decisions with this answer
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of opportunities: fewer if they cluster
--   mdf  DOUBLE  mean of mdf in decisions; null if only blinds are faced
--   spread  STRUCT(clusters BIGINT, kk DOUBLE, nn DOUBLE, kn DOUBLE)  sums from which effective_n is computed; they add up over matches
-- definition: bet_answers, match by match. Damaged hands are left out, and Koper.
select
  n.match_id, n.seat, p.event, p.game, p.player, p.opponent, p.namesake_seat, n.street, n.size_bin, n.answer,
  n.opportunities, n.successes,
  rate_of(n.successes, n.opportunities) as rate,
  rate_low(n.successes, n.opportunities, n.spread) as low,
  rate_high(n.successes, n.opportunities, n.spread) as high,
  effective_n(n.successes, n.opportunities, n.spread) as effective_n,
  n.mdf, n.spread
from (
  select
    c.match_id, c.seat, c.street, c.size_bin, t.answer,
    cast(sum(c.faced) as bigint) as opportunities,
    cast(sum(t.taken) as bigint) as successes,
    spread_of(c.faced, t.taken, c.cluster) as spread,
    sum(c.defences) / sum(c.faced) as mdf
  from (
    select
      d.match_id, d.seat, d.street, d.size_faced_bin as size_bin, h.cluster,
      count(*) as faced,
      count(*) filter (where d.action = 'fold') as folds,
      count(*) filter (where d.action = 'call') as calls,
      count(*) filter (where d.action = 'raise') as raises,
      sum(d.mdf) as defences
    from decisions as d
    join counted_hands as h on h.match_id = d.match_id and h.hand_index = d.hand_index
    where d.to_call > 0 and d.action in ('fold', 'call', 'raise')
    group by all
  ) as c
  cross join lateral (values ('fold', c.folds), ('call', c.calls), ('raise', c.raises)) as t (answer, taken)
  group by all
) as n
join players as p on p.match_id = n.match_id and p.seat = n.seat
