-- name: blotto_triggers
-- suffixes: by_opponent, before_lock
-- grain: event x player x trigger x answer, Blotto
-- only_if: games: boards > 1
-- columns:
--   event  VARCHAR  tournament or event of the match
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   trigger  VARCHAR  none: the opponent has chips left; here: its last chips went in and no board got more of them than this one; elsewhere: another board did
--   answer  VARCHAR  fold, call or raise
--   opportunities  BIGINT  own decisions on a board facing a bet
--   successes  BIGINT  decisions with this answer
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of opportunities: fewer if they cluster in a round
-- definition: cross-board all-in triggers: what a player does facing a bet on a board once the opponent is all-in, by
--   where the last chips went. The boards of a round share one stack. Damaged hands are left out.
with shoved as (
  select match_id, hand_index, seat, min(decision_no) as decision_no, arg_min(last, decision_no) as last
  from (
    select
      a.match_id, a.hand_index, a.seat, a.decision_no,
      {'most': max(a.chips_added), 'boards': list({'board_no': a.board_no, 'chips': a.chips_added})} as last
    from actions as a
    join counted_hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
    join stored.games as g on g.game = h.game and g.boards > 1
    where a.origin <> 'dummy'
    group by all
    having sum(a.chips_added) >= max(a.stack_before) and max(a.stack_before) > 0
  )
  group by all
)
select
  * exclude (spread),
  rate_of(successes, opportunities) as rate,
  rate_low(successes, opportunities, spread) as low,
  rate_high(successes, opportunities, spread) as high,
  effective_n(successes, opportunities, spread) as effective_n
from (
  select
    p.event, p.player, p.namesake_seat as seat,
    /*by_opponent p.opponent, */
    c.trigger, t.answer,
    cast(sum(c.faced) as bigint) as opportunities,
    cast(sum(t.k) as bigint) as successes,
    spread_of(c.faced, t.k, c.hand_index) as spread
  from (
    select
      a.match_id, a.hand_index, a.seat,
      case
        when s.decision_no is null then 'none'
        when list_contains(s.last.boards, {'board_no': a.board_no, 'chips': s.last.most}) then 'here'
        else 'elsewhere'
      end as trigger,
      count(*) as faced,
      count(*) filter (where a.action = 'fold') as folds,
      count(*) filter (where a.action = 'call') as calls,
      count(*) filter (where a.action = 'raise') as raises
    from stored.actions as a
    join counted_hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
    left join shoved as s
      on s.match_id = a.match_id and s.hand_index = a.hand_index and s.seat <> a.seat
      and s.decision_no < decision_of(a.board_no, a.seq)
    join stored.games as g on g.game = h.game and g.boards > 1
    where a.to_call > 0 and a.origin = 'choice' and a.action in ('fold', 'call', 'raise')
    group by all
  ) as c
  cross join lateral (values ('fold', c.folds), ('call', c.calls), ('raise', c.raises)) as t (answer, k)
  join players as p on p.match_id = c.match_id and p.seat = c.seat
  group by all
)
