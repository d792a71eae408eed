-- name: deals
-- grain: card event
-- columns:
--   match_id  UBIGINT  stored: hands
--   hand_index  INTEGER  stored: hands
--   seq  SMALLINT  derived: order of the hand's card events, from 0
--   line  BIGINT  derived: hands.line + an element of hands.card_lines
--   seat  TINYINT  derived: who is dealt the cards, the dealer first; null for the board
--   board_no  TINYINT  derived: null, a game of one board
--   street  TINYINT  derived: 0 for hole cards, then 1 flop, 2 turn, 3 river
--   kind  VARCHAR  derived: deal (hole cards) or board
--   cards  VARCHAR[]  derived: the new cards only
--   cards_effective  VARCHAR[]  derived: Permutation; null elsewhere
-- definition: the cards in the order in which the log brings them, from seats.hole, hands.board and
--   hands.card_lines. Of a hand's card events the last streets - 1 are streets, those before them hole cards.
select
  e.match_id, e.hand_index,
  cast(e.seq as smallint) as seq,
  e.line + e.card_lines[e.seq + 1] as line,
  e.seat,
  cast(null as tinyint) as board_no,
  cast(e.street as tinyint) as street,
  if(e.street = 0, 'deal', 'board') as kind,
  case e.street when 0 then s.hole when 1 then e.board[1:3] else e.board[e.street + 2:e.street + 2] end as cards,
  cast(null as varchar[]) as cards_effective
from (
  select
    match_id, hand_index, line, card_lines, board, seq,
    greatest(seq - deals + 1, 0) as street,
    if(seq < deals, cast((dealer_seat + seq) % n_players as tinyint), null) as seat
  from (
    select
      match_id, hand_index, line, card_lines, board, dealer_seat, n_players,
      len(card_lines) - (streets - 1) as deals,
      unnest(range(len(card_lines))) as seq
    from stored.hands
  )
) as e
left join stored.seats as s on s.match_id = e.match_id and s.hand_index = e.hand_index and s.seat = e.seat
