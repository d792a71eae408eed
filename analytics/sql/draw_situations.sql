-- name: draw_situations
-- grain: hand x seat x board x street with a draw that missed
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   board_no  TINYINT  number of the board in games of several boards; else null
--   situation  VARCHAR  missed-draw
--   street  TINYINT  street on which the player had the draw: 1 flop, 2 turn
--   seat  TINYINT  who had it
-- definition: a player had a draw on the flop or the turn, came to the last board card without a fold, and had neither
--   straight nor flush on the whole board. A draw is four cards of one suit, at least one of them a hole card, or two or more
--   ranks that make a straight, where the board alone with that rank makes none. For games of hold'em's deck, board and
--   order of hands, and hands whose cards do not change.
with held as (
  select s.match_id, s.hand_index, cast(null as tinyint) as board_no, s.seat, s.hole, h.board
  from stored.hands as h
  join stored.seats as s on s.match_id = h.match_id and s.hand_index = h.hand_index
  where s.hole_changed is null and h.board_changed is null
  union all
  select b.match_id, b.hand_index, b.board_no, s.seat, b.hole[s.seat + 1], b.cards
  from stored.boards as b
  join stored.seats as s on s.match_id = b.match_id and s.hand_index = b.hand_index
  where b.pot is not null
), streets as (
  select t.match_id, t.hand_index, t.board_no, t.seat, t.hole, t.board, w.street
  from held as t
  join stored.hands as h on h.match_id = t.match_id and h.hand_index = t.hand_index
  join stored.games as g
    on g.game = h.game and g.suits = 4 and g.ranks = 13 and g.board_cards = [0, 3, 4, 5] and g.holes_used is null
    and not (g.own_order or g.permutes or g.discards or g.redraws or g.simultaneous)
  cross join (values (cast(1 as tinyint)), (cast(2 as tinyint))) as w (street)
  where len(t.board) >= 5 and len(t.hole) > 0 and list_aggregate(t.hole, 'count') = len(t.hole)
), drawn as (
  select
    match_id, hand_index, board_no, seat, street,
    suited(list_concat(hole, board)) >= 5 or has_straight(ranks_held(list_concat(hole, board))) as is_made,
    list_max(
      list_transform(
        ['c', 'd', 'h', 's'],
        lambda suit: if(
          len(list_filter(hole, lambda card: card[2] = suit)) > 0,
          len(list_filter(list_concat(hole, board[1:street + 2]), lambda card: card[2] = suit)),
          0
        )
      )
    ) as to_flush,
    ranks_held(list_concat(hole, board[1:street + 2])) as own,
    ranks_held(board[1:street + 2]) as shared
  from streets
)
select d.match_id, d.hand_index, d.board_no, 'missed-draw' as situation, d.street, d.seat
from drawn as d
left join actions as f
  on f.match_id = d.match_id and f.hand_index = d.hand_index and f.seat = d.seat and f.action = 'fold'
  and f.board_no is not distinct from d.board_no
where f.seq is null and not d.is_made
  and (
    d.to_flush = 4
    or len(
      list_filter(
        range(1, 14),
        lambda rank: has_straight(d.own | with_rank(rank)) and not has_straight(d.shared | with_rank(rank))
      )
    ) >= 2
  )
