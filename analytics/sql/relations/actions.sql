-- name: actions
-- grain: forced post, decision, or dummy
-- columns:
--   match_id  UBIGINT  stored
--   hand_index  INTEGER  stored
--   seq  SMALLINT  stored
--   line  BIGINT  stored
--   board_no  TINYINT  stored
--   decision_no  SMALLINT  derived: rows of one decision share it; seq where a decision is one row
--   street  TINYINT  stored
--   seat  TINYINT  stored
--   player  VARCHAR  derived: the log's own name, from matches.players
--   action  VARCHAR  stored
--   origin  VARCHAR  stored
--   amount_logged  DOUBLE  derived: the number that the log prints; null where it prints none
--   amount_to  DOUBLE  derived: chips, the player's total on the street after the action
--   chips_added  DOUBLE  derived: chips, amount_to - pip_before
--   to_call  DOUBLE  stored
--   pot_before  DOUBLE  stored
--   stack_before  DOUBLE  derived: chips the player has left, two players: each has put (pot_before -+ to_call) / 2
--   min_raise_to  DOUBLE  derived: chips, the smallest legal bet or raise; null where none is legal
--   max_raise_to  DOUBLE  derived: chips, the largest: what the player has, or the opponent can call
--   bet_level  TINYINT  stored
--   aggressor_seat  TINYINT  stored
--   active_players  TINYINT  stored
--   win_prob  DOUBLE  derived: Koper; null elsewhere
--   pip_before  DOUBLE  stored
--   big_blind  DOUBLE  stored
-- definition: what each player did and what they faced before it. Only origin = 'choice' is the player's own
--   doing. The legal bounds are those of heads-up no-limit: a bet or raise adds at least the bet faced and at least
--   a big blind, and no more than both players have.
select
  a.match_id, a.hand_index, a.seq, a.line, a.board_no,
  coalesce(a.decision_no, a.seq) as decision_no,
  a.street, a.seat,
  m.players[a.seat + 1] as player,
  a.action, a.origin,
  coalesce(a.amount_printed, a.raise_to) as amount_logged,
  coalesce(a.raise_to, a.pip_before + if(a.action = 'call', a.to_call, 0)) as amount_to,
  coalesce(a.raise_to - a.pip_before, if(a.action = 'call', a.to_call, 0)) as chips_added,
  a.to_call, a.pot_before, a.stack_before,
  if(a.highest is null, null, least(a.pip_before + a.to_call + greatest(a.to_call, a.big_blind), a.highest))
    as min_raise_to,
  a.highest as max_raise_to,
  a.bet_level, a.aggressor_seat, a.active_players,
  cast(null as double) as win_prob,
  a.pip_before, a.big_blind
from (
  select
    *,
    if(
      action <> 'post' and stack_before > to_call and opponent_has > 0,
      pip_before + least(stack_before, opponent_has + to_call),
      null
    ) as highest
  from (
    select
      *,
      stack_start - if(action = 'post', pip_before, (pot_before - to_call) / 2) as stack_before,
      stack_start - (pot_before + to_call) / 2 as opponent_has
    from stored.actions
  )
) as a
join stored.matches as m on m.match_id = a.match_id
