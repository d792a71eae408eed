-- name: actions
-- grain: forced post, decision, or dummy
-- table: in a small store
-- columns:
--   match_id  UBIGINT  stored
--   hand_index  INTEGER  stored
--   seq  SMALLINT  stored
--   line  BIGINT  stored
--   board_no  TINYINT  stored
--   decision_no  SMALLINT  derived: number shared by the rows of one decision: one row a board in games of several boards, else seq
--   street  TINYINT  derived: the number of stored.actions.street, 0 preflop
--   seat  TINYINT  stored
--   player  VARCHAR  derived: name in the log, from matches.players
--   action  VARCHAR  stored
--   origin  VARCHAR  stored
--   amount_logged  DOUBLE  derived: the number printed in the log; in no-limit ACPC logs the total of the hand; null if none is printed
--   amount_to  DOUBLE  derived: chips, the player's total on the street after the action
--   chips_added  DOUBLE  derived: chips, amount_to - pip_before
--   to_call  DOUBLE  stored
--   pot_before  DOUBLE  stored
--   stack_before  DOUBLE  derived: chips left to the player before the action; null in games without stacks
--   min_raise_to  DOUBLE  derived: chips, the smallest legal bet or raise; null if none is legal
--   max_raise_to  DOUBLE  derived: chips, the largest legal bet or raise: all that the player has, or that the opponent can call
--   bet_level  SMALLINT  stored
--   aggressor_seat  TINYINT  derived: seat of the last bet or raise in the hand, of several boards on this one; null before the first
--   active_players  TINYINT  stored
--   win_prob  DOUBLE  stored
--   pip_before  DOUBLE  stored
--   big_blind  DOUBLE  derived: chips, from matches.blinds; Koper: the buy-in
-- definition: what each player did, and the state before it. Only origin = 'choice' is the player's own
--   decision. The legal bounds are those of heads-up no-limit: a bet or raise adds at least the bet faced and at least
--   a big blind, and no more than both players have; in limit games those of stored.matches.raise_sizes and raise_caps.
--   Bounds that differ are stored (has_bounds).
select
  match_id, hand_index, seq, line, board_no,
  decision_of(board_no, seq) as decision_no,
  street, seat, player, action, origin,
  coalesce(
    amount_printed,
    if(blinds_by_position is not null and raise_sizes is null, raise_to + stack_start - stack_before - pip_before, null),
    raise_to
  ) as amount_logged,
  coalesce(raise_to, pip_before + if(action = 'call', to_call, 0)) as amount_to,
  coalesce(raise_to - pip_before, if(action = 'call', to_call, 0)) as chips_added,
  to_call, pot_before, stack_before,
  case
    when bounds_stored then lowest
    when highest is null or raise_sizes is not null then highest
    else least(pip_before + to_call + greatest(to_call, big_blind), highest)
  end as min_raise_to,
  highest as max_raise_to,
  bet_level, aggressor_seat, active_players, win_prob, pip_before, big_blind
from (
  select
    *,
    min_raise_to as lowest,
    case
      when bounds_stored then max_raise_to
      when action not in ('fold', 'call', 'check', 'bet', 'raise') or origin = 'dummy' then null
      when raise_sizes is not null
        then if(bet_level < raise_caps[street + 1], pip_before + to_call + raise_sizes[street + 1], null)
      when stack_before > to_call and opponent_stack > 0
        then pip_before + least(stack_before, opponent_stack + to_call)
    end as highest
  from (
    select
      * exclude (opponent_stack),
      coalesce(opponent_stack, 2 * stack_start - pot_before - stack_before) as opponent_stack
    from (
      select
        a.* exclude (stack_before),
        coalesce(
          a.stack_before,
          if(
            a.street_pot is null,
            null,
            m.starting_stacks[a.seat + 1] - if(a.action = 'post', 0, (a.pot_before - a.to_call) / 2)
          )
        ) as stack_before,
        m.players[a.seat + 1] as player,
        if(m.buy_in is null, m.starting_stacks[a.seat + 1], null) as stack_start,
        a.has_bounds as bounds_stored,
        coalesce(if(len(m.blinds) = 0, 0, m.blinds[-1]), m.buy_in) as big_blind,
        m.blinds_by_position, m.raise_sizes, m.raise_caps
      from stored.actions as a
      join stored.matches as m on m.match_id = a.match_id
    )
  )
)
