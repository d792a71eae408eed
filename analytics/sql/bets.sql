-- name: bets
-- grain: bet or raise
-- table: in a small store
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   board_no  TINYINT  the board
--   street  TINYINT  0 preflop
--   bet_level  SMALLINT  that of the decisions which face it: bets and raises of the street up to it, the blinds are one
--   risk  DOUBLE  chips that it added, for a raise including its call
--   called  DOUBLE  of these the chips of the call, 0 for a bet
--   raise_to  DOUBLE  the player's chips of the street with it
--   pot  DOUBLE  chips in the pot before it
-- definition: every bet and raise, made by a bot or by the engine for it; blinds do not count.
select match_id, hand_index, board_no, street, bet_level + 1 as bet_level, raise_to - pip_before as risk,
  to_call as called, raise_to, pot_before as pot
from stored.actions
where action in ('bet', 'raise')
