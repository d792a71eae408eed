-- name: strengths
-- suffixes: before_lock
-- grain: own decision that is a fold, check, call, bet or raise, in games that have equities
-- table: in a small store
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   seq  SMALLINT  order within the hand
--   board_no  TINYINT  number of the board in games of several boards; else null
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   opponent  VARCHAR  name of the opponent; several names are joined by ' + '
--   namesake_seat  TINYINT  as in the view players
--   seat  TINYINT  seat in the match, from 0
--   position  VARCHAR  place in the hand
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   active_players  TINYINT  players who have not folded
--   action  VARCHAR  fold check call bet raise
--   unit  DOUBLE  chips per bb
--   cluster  BIGINT  number of the cluster in the match (cluster_of); null if hands are independent
--   can_check  BOOLEAN  a check is possible
--   faced  TINYINT  size bin of the bet or raise faced (size_name); null without one
--   made  DOUBLE  size of the own bet or raise in pots; null for other actions
--   made_bin  TINYINT  its size bin (size_name); null if the action is no bet or raise
--   pot_before  DOUBLE  chips in the pot before the action
--   price  DOUBLE  chips that the other player must add to call the bet or raise, at most its stack; null for other actions
--   pot_after  DOUBLE  chips in the pot after the action, without chips that no player can call; null for folds, checks and calls
--   equity_own  DOUBLE  equity of the own cards on the board against a uniform unseen hand, 0 to 1; null if not seen
--   decile  TINYINT  tenth of equity_own: 1 for below 0.1, to 10 for 0.9 and above; null if not seen
--   is_bluff  BOOLEAN  of a bet or raise: equity_own is below one half; null if not seen
--   is_last_street  BOOLEAN  no street can follow: the river, in Leduc the second, in Kuhn the first; River of Blood: never
-- definition: situations with the strength of the hand on that street. A bluff is a bet or raise with a hand that
--   is behind an average one; before the last street this includes draws (semi-bluffs).
select
  s.match_id, s.hand_index, s.seq, s.board_no, s.event, s.game, s.player, s.opponent, s.namesake_seat, s.seat,
  s.position, s.street, s.active_players, s.action, s.unit, s.cluster,
  s.to_call = 0 as can_check,
  s.faced, s.made, s.made_bin, s.pot_before, s.price,
  s.pot_before + s.to_call + s.price as pot_after,
  e.equity_own,
  tenth_of(e.equity_own) as decile,
  if(s.action in ('bet', 'raise'), e.equity_own < 0.5, null) as is_bluff,
  is_last_street(s.street, g.runs, coalesce(m.board_cards, g.board_cards)) as is_last_street
from situations as s
join stored.matches as m on m.match_id = s.match_id
join stored.games as g on g.game = m.game
left join equities as e
  on e.match_id = s.match_id and e.hand_index = s.hand_index and e.seat = s.seat and e.street = s.street
  and e.board_no is not distinct from s.board_no
where not g.simultaneous
