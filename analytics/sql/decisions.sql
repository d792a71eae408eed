-- name: decisions
-- suffixes: before_lock
-- grain: decision to fold, check, call, bet or raise
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   seq  SMALLINT  order within the hand, from 0
--   board_no  TINYINT  number of the board in games of several boards; else null
--   street  TINYINT  0 preflop
--   seat  TINYINT  seat in the match, from 0
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   opponent  VARCHAR  name of the opponent
--   position  VARCHAR  place in the hand
--   action  VARCHAR  fold check call bet raise
--   bet_level  SMALLINT  bets and raises of the street before, the blinds are one
--   to_call  DOUBLE  chips to call
--   pot_before  DOUBLE  chips in the pot before
--   size_faced  DOUBLE  of a bet its chips / the pot before it, of a raise its chips beyond the call / the pot after that call, less what the player cannot call; null if a check is free or only blinds are faced
--   size_faced_bin  TINYINT  size_bin of it
--   mdf  DOUBLE  minimum defence frequency of the bet or raise faced (docs/definitions.md); null if only blinds are faced
--   size_made  DOUBLE  of a bet chips / pot_before; of a raise its chips beyond the call / (pot_before + to_call); null for other actions
--   size_made_bin  TINYINT  size_bin of size_made; null if the action is neither a bet nor a raise
--   raise_to_bb  DOUBLE  preflop: the raise-to in big blinds; null for other actions, and later
--   spr  DOUBLE  effective stack / pot_before; null in limit games
-- definition: every decision of the players' own (origin = 'choice') with the sizes faced and made, without Koper.
--   spr at a player's first decision of a street is the stack-to-pot ratio of that street; against one opponent it
--   counts the smaller stack. Damaged hands are left out.
select
  a.match_id, a.hand_index, a.seq, a.board_no, a.street, a.seat, p.event, p.game, p.player, p.opponent, q.position,
  a.action, a.bet_level, a.to_call, a.pot_before,
  if(
    a.to_call > 0,
    size_against(b.risk, b.called, b.pot, b.raise_to, a.pip_before, a.to_call, a.stack_before),
    null
  ) as size_faced,
  size_bin(size_faced) as size_faced_bin,
  if(
    a.to_call > 0,
    mdf_of(b.pot, risk_against(b.risk, b.raise_to, a.pip_before, a.to_call, a.stack_before)),
    null
  ) as mdf,
  if(a.action in ('bet', 'raise'), (a.chips_added - a.to_call) / (a.pot_before + a.to_call), null) as size_made,
  size_bin(size_made) as size_made_bin,
  if(a.action in ('bet', 'raise') and a.street = 0, a.amount_to / a.big_blind, null) as raise_to_bb,
  if(
    m.raise_sizes is null,
    coalesce(a.max_raise_to - a.pip_before, least(a.stack_before, a.to_call)) / a.pot_before,
    null
  ) as spr
from actions as a
join counted_hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
left join short_tables as e on e.match_id = a.match_id and e.hand_index = a.hand_index and e.seat = a.seat
join stored.matches as m on m.match_id = a.match_id
join players as p on p.match_id = a.match_id and p.seat = a.seat
join positions as q
  on q.match_id = a.match_id and q.place = position_of(e.place, a.seat, h.dealer_seat, h.n_players)
left join bets as b
  on b.match_id = a.match_id and b.hand_index = a.hand_index and b.board_no is not distinct from a.board_no
  and b.street = a.street and b.bet_level = a.bet_level
where a.origin = 'choice' and not h.simultaneous and a.action in ('fold', 'check', 'call', 'bet', 'raise')
