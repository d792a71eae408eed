-- name: situations
-- twins: before_lock
-- grain: own decision that is a fold, check, call, bet, raise or (Koper) play
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  the match's hands from 0
--   seq  SMALLINT  order within the hand
--   board_no  TINYINT  Blotto: the board; null elsewhere
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   player  VARCHAR  the log's own name
--   opponent  VARCHAR  the name across the table; of several, the names joined by ' + '
--   namesake_seat  TINYINT  that of the view players
--   seat  TINYINT  place in the match, from 0
--   position  VARCHAR  place in the hand
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run; Koper: the round, from 1
--   bet_level  SMALLINT  bets and raises of the street before; the blinds are one
--   active_players  TINYINT  who have not folded
--   action  VARCHAR  fold check call bet raise play
--   unit  DOUBLE  chips per bb
--   pot_before  DOUBLE  chips
--   to_call  DOUBLE  chips, no more than the player has
--   bet_faced  DOUBLE  chips the last bet or raise of the street risked; null without one, blinds are none
--   pot_faced  DOUBLE  chips in the pot before that bet or raise
--   faced  TINYINT  its size bin (size_name), of bet / pot or raise / (pot after the call); null without a bet
--   price  DOUBLE  chips that the own bet or raise asks of the other player; null for other actions
--   made  DOUBLE  size of the own bet or raise, bet / pot or raise / (pot after the call); null for other actions
--   made_bin  TINYINT  its size bin (size_name)
--   hole  VARCHAR[]  hole cards as dealt, Blotto: as sent to the board; null where they were not seen
--   cluster  BIGINT  number of the cluster in the match (cluster_of); null where each hand stands for itself
-- definition: what a player faced and did, decision by decision. Damaged hands are left out. A bet counts as faced
--   whoever made it, a bot or the engine for it; what of
--   it the player cannot call for want of chips is not counted.
with bets as materialized (
  -- Not inline: DuckDB 2.0 fails where names joined to many decisions enter another join (its issue 24807).
  select
    match_id, hand_index, seq, board_no, street, seat, action, origin, bet_level, active_players, pot_before, to_call,
    stack_before,
    chips_added,
    last_value(if(action in ('bet', 'raise'), {'risk': chips_added, 'called': to_call, 'pot': pot_before}, null) ignore nulls)
      over (
        partition by match_id, hand_index, board_no, street
        order by seq
        rows between unbounded preceding and 1 preceding
      ) as bet
  from actions
  where action in ('fold', 'check', 'call', 'bet', 'raise', 'play')
)
select
  a.match_id, a.hand_index, a.seq, a.board_no, p.event, p.game, p.player, p.opponent, p.namesake_seat, a.seat,
  s.position, a.street, a.bet_level, a.active_players, a.action, p.unit, a.pot_before,
  least(a.to_call, a.stack_before) as to_call,
  if(a.to_call > 0, risk_against(a.bet.risk, a.to_call, a.stack_before), null) as bet_faced,
  if(a.to_call > 0, a.bet.pot, null) as pot_faced,
  if(a.to_call > 0, size_bin((a.bet.risk - a.bet.called) / (a.bet.pot + a.bet.called)), null) as faced,
  if(a.action in ('bet', 'raise'), a.chips_added - a.to_call, null) as price,
  if(a.action in ('bet', 'raise'), (a.chips_added - a.to_call) / (a.pot_before + a.to_call), null) as made,
  if(
    a.action in ('bet', 'raise'),
    size_bin((a.chips_added - a.to_call) / (a.pot_before + a.to_call)),
    null
  ) as made_bin,
  if(a.board_no is null, s.hole, b.hole[a.seat + 1]) as hole,
  k.cluster
from bets as a
join players as p on p.match_id = a.match_id and p.seat = a.seat
join stored.seats as s on s.match_id = a.match_id and s.hand_index = a.hand_index and s.seat = a.seat
join counted_hands as k on k.match_id = a.match_id and k.hand_index = a.hand_index
left join stored.boards as b on b.match_id = a.match_id and b.hand_index = a.hand_index and b.board_no = a.board_no
where a.origin = 'choice'
