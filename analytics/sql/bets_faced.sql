-- name: bets_faced
-- suffixes: by_opponent, by_match, before_lock
-- grain: event x game x player x street x position x size bin x answer
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   match_id  UBIGINT  by_match: key of the match
--   match_seat  TINYINT  by_match: seat in the match, from 0
--   opponent  VARCHAR  by_opponent|by_match: name of the opponent
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   position  VARCHAR  place in the hand
--   size_bin  TINYINT  1 to 6 (size_name), of decisions.size_faced; null if only blinds are faced
--   answer  VARCHAR  fold, call or raise
--   opportunities  BIGINT  own decisions facing such a bet
--   successes  BIGINT  decisions with this answer
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of opportunities: fewer if they cluster
--   mean_size  DOUBLE  mean of the sizes faced; null if only blinds are faced
--   mdf  DOUBLE  mean of mdf in decisions; null if only blinds are faced
-- definition: what a player does facing a bet, by the bet's size. Sizes are those of decisions: blinds are
--   not bets and have none. Chips of others who called in between do not change the size. Every decision
--   counts; except in clusters, several of one hand are treated as independent. Koper and damaged hands are
--   left out. The view reads all actions: over 10 million hands it takes seconds to a minute.
select
  n.* exclude (opportunities, folds, calls, raises, fold_spread, call_spread, raise_spread, sizes, defences),
  t.answer, n.opportunities, t.successes,
  rate_of(t.successes, n.opportunities) as rate,
  rate_low(t.successes, n.opportunities, t.spread) as low,
  rate_high(t.successes, n.opportunities, t.spread) as high,
  effective_n(t.successes, n.opportunities, t.spread) as effective_n,
  n.sizes / n.opportunities as mean_size,
  n.defences / n.opportunities as mdf
from (
  select
    p.event, p.game, p.player, p.namesake_seat as seat,
    /*by_match c.match_id, c.seat as match_seat, */
    /*by_opponent|by_match p.opponent, */
    c.street, q.position, c.size_bin,
    cast(sum(c.faced) as bigint) as opportunities,
    cast(sum(c.folds) as bigint) as folds,
    cast(sum(c.calls) as bigint) as calls,
    cast(sum(c.raises) as bigint) as raises,
    spread_of(c.faced, c.folds, c.cluster) as fold_spread,
    spread_of(c.faced, c.calls, c.cluster) as call_spread,
    spread_of(c.faced, c.raises, c.cluster) as raise_spread,
    sum(c.sizes) as sizes,
    sum(c.defences) as defences
  from (
    select
      a.match_id, a.seat, a.street, h.cluster,
      position_of(e.place, a.seat, h.dealer_seat, h.n_players) as place,
      size_bin(size_against(b.risk, b.called, b.pot, b.raise_to, a.pip_before, a.to_call, a.stack_before)) as size_bin,
      count(*) as faced,
      count(*) filter (where a.action = 'fold') as folds,
      count(*) filter (where a.action = 'call') as calls,
      count(*) filter (where a.action = 'raise') as raises,
      sum(size_against(b.risk, b.called, b.pot, b.raise_to, a.pip_before, a.to_call, a.stack_before)) as sizes,
      sum(mdf_of(b.pot, risk_against(b.risk, b.raise_to, a.pip_before, a.to_call, a.stack_before))) as defences
    from actions as a
    join counted_hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
    left join short_tables as e on e.match_id = a.match_id and e.hand_index = a.hand_index and e.seat = a.seat
    left join bets as b
      on b.match_id = a.match_id and b.hand_index = a.hand_index and b.board_no is not distinct from a.board_no
      and b.street = a.street and b.bet_level = a.bet_level
    where a.to_call > 0 and a.origin = 'choice' and not h.simultaneous and a.action in ('fold', 'call', 'raise')
    group by all
  ) as c
  join players as p on p.match_id = c.match_id and p.seat = c.seat
  join positions as q on q.match_id = c.match_id and q.place = c.place
  group by all
) as n
cross join lateral (
  values ('fold', n.folds, n.fold_spread), ('call', n.calls, n.call_spread), ('raise', n.raises, n.raise_spread)
) as t (answer, successes, spread)
