-- name: situations
-- suffixes: before_lock
-- grain: own decision that is a fold, check, call, bet, raise or (Koper) play
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
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run; Koper: the round, from 1
--   bet_level  SMALLINT  bets and raises of the street before; the blinds are one
--   active_players  TINYINT  players who have not folded
--   action  VARCHAR  fold check call bet raise play
--   unit  DOUBLE  chips per bb
--   pot_before  DOUBLE  chips
--   to_call  DOUBLE  chips, no more than the player has
--   uncallable  DOUBLE  chips of the last bet or raise of the street that exceed the player's stack; null without a bet or raise; blinds do not count
--   bet_faced  DOUBLE  chips that bet or raise risked, less uncallable; null without one
--   pot_faced  DOUBLE  chips in the pot before that bet or raise; null if a check is free
--   faced  TINYINT  its size bin (size_name), of bet / pot or raise / (pot after the call), less uncallable; null without a bet
--   price  DOUBLE  chips that the other player must add to call the bet or raise, at most its stack; with several, the player with most chips; null for other actions
--   made  DOUBLE  size of the own bet or raise, bet / pot or raise / (pot after the call); null for other actions
--   made_bin  TINYINT  its size bin (size_name); null if the action is no bet or raise
--   hole  VARCHAR[]  hole cards as dealt, Blotto: as sent to the board; null if they were not seen
--   cluster  BIGINT  number of the cluster in the match (cluster_of); null if hands are independent
-- definition: what a player faced and did, decision by decision. Damaged hands are left out. A bet counts as faced
--   whether a bot made it or the engine for it.
with moves as materialized (
  -- Not inline: DuckDB 2.0 fails where names joined to many decisions enter another join (its issue 24807).
  select
    match_id, hand_index, seq, board_no, street, seat, action, origin, bet_level, active_players, pot_before, to_call,
    stack_before, pip_before,
    chips_added,
    last_value(
      if(
        action in ('bet', 'raise'),
        {'risk': chips_added, 'called': to_call, 'pot': pot_before, 'raise_to': pip_before + chips_added},
        null
      ) ignore nulls
    )
      over (
        partition by match_id, hand_index, board_no, street
        order by seq
        rows between unbounded preceding and 1 preceding
      ) as bet
  -- Of all actions: with a condition on them DuckDB reads all matches, though a query asks for one.
  from actions
), callable as (
  -- What the others can put in after their call, at most; of matches with unequal stacks, elsewhere no bet asks for more.
  select
    a.match_id, a.hand_index, a.seq,
    greatest(max(o.stack_start) - any_value(s.stack_start - a.stack_before + a.to_call), 0) as most
  -- Not of moves: what is read twice is read of all matches, though a query asks for one.
  from actions as a
  join stored.matches as m on m.match_id = a.match_id and list_min(m.starting_stacks) < list_max(m.starting_stacks)
  join stored.seats as s on s.match_id = a.match_id and s.hand_index = a.hand_index and s.seat = a.seat
  join stored.seats as o on o.match_id = a.match_id and o.hand_index = a.hand_index and o.seat <> a.seat
  left join actions as f
    on f.match_id = a.match_id and f.hand_index = a.hand_index and f.seat = o.seat and f.action = 'fold' and f.seq < a.seq
  where a.action in ('bet', 'raise') and f.seq is null
  group by a.match_id, a.hand_index, a.seq
)
select
  a.match_id, a.hand_index, a.seq, a.board_no, p.event, p.game, p.player, p.opponent, p.namesake_seat, a.seat,
  s.position, a.street, a.bet_level, a.active_players, a.action, p.unit, a.pot_before,
  least(a.to_call, a.stack_before) as to_call,
  if(
    a.to_call > 0 and a.bet is not null,
    uncallable_of(a.bet.raise_to, a.pip_before, a.to_call, a.stack_before),
    null
  ) as uncallable,
  if(
    a.to_call > 0,
    risk_against(a.bet.risk, a.bet.raise_to, a.pip_before, a.to_call, a.stack_before),
    null
  ) as bet_faced,
  if(a.to_call > 0, a.bet.pot, null) as pot_faced,
  size_bin(
    if(
      a.to_call > 0,
      size_against(
        a.bet.risk, a.bet.called, a.bet.pot, a.bet.raise_to, a.pip_before, a.to_call, a.stack_before
      ),
      null
    )
  ) as faced,
  -- Of null and a number least() is the number.
  if(a.action in ('bet', 'raise'), least(a.chips_added - a.to_call, c.most), null) as price,
  if(a.action in ('bet', 'raise'), (a.chips_added - a.to_call) / (a.pot_before + a.to_call), null) as made,
  if(
    a.action in ('bet', 'raise'),
    size_bin((a.chips_added - a.to_call) / (a.pot_before + a.to_call)),
    null
  ) as made_bin,
  if(a.board_no is null, s.hole, b.hole[a.seat + 1]) as hole,
  k.cluster
from moves as a
join players as p on p.match_id = a.match_id and p.seat = a.seat
join stored.seats as s on s.match_id = a.match_id and s.hand_index = a.hand_index and s.seat = a.seat
join counted_hands as k on k.match_id = a.match_id and k.hand_index = a.hand_index
left join callable as c on c.match_id = a.match_id and c.hand_index = a.hand_index and c.seq = a.seq
left join stored.boards as b on b.match_id = a.match_id and b.hand_index = a.hand_index and b.board_no = a.board_no
where a.origin = 'choice' and a.action in ('fold', 'check', 'call', 'bet', 'raise', 'play')
