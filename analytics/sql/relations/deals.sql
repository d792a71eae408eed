-- name: deals
-- grain: card event
-- columns:
--   match_id  UBIGINT  stored: as in hands
--   hand_index  INTEGER  stored: as in hands
--   seq  SMALLINT  derived: order of the hand's card events, from 0
--   line  BIGINT  derived: hands.line plus an element of hands.card_lines; null if that is null
--   seat  TINYINT  derived: seat that is dealt the cards, the dealer first; null for the board
--   board_no  TINYINT  derived: in games of several boards the one that cards are assigned to or dealt on; else null
--   street  TINYINT  derived: 0 for hole cards, then 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   kind  VARCHAR  derived: deal (hole cards), assign (hole cards sent to a board), board, or a kind of changes
--   cards  VARCHAR[]  derived: the new cards only; the new card of a redraw is null if the log does not show it
--   cards_effective  VARCHAR[]  derived: Permutation: the cards that they count as, by matches.permutation; null elsewhere
--   replaced  VARCHAR  derived: Redraw: the card that a redraw replaces, of a hand or of the board; null elsewhere
-- definition: the cards in the order of the log, from seats.hole, hands.board and hands.card_lines. Of a
--   hand's card events the last streets - 1 are streets, and those before are hole cards. Unknown hole cards
--   are not events; hole cards that only a showdown shows are (line null). Cards that are swapped, won in an
--   auction, given up, bought, passed or seen (reveal: a card of the opponent's, reveal_board: the board's
--   next) come from changes; where cards are passed, no street deals any. Toss deals two cards on the flop;
--   its board holds the two that are given up before those of turn and river. Blotto's come from boards:
--   first the six cards of each player, then those sent to each board, then the cards of each board that is
--   not folded. Redraws come from changes; hands.board and seats.hole are as they were dealt.
select
  e.match_id, e.hand_index,
  cast(
    e.seq
    /*if changes: true*/
    + coalesce(len(list_filter(c.lines, lambda x: x < e.line + e.card_lines[e.seq + 1])), 0)
    /*end*/
    as smallint
  ) as seq,
  e.line + e.card_lines[e.seq + 1] as line,
  e.seat,
  cast(null as tinyint) as board_no,
  cast(e.street as tinyint) as street,
  if(e.street = 0, 'deal', 'board') as kind,
  case
    when e.street = 0 then s.hole
    when e.discards then if(e.street = 1, e.board[1:2], e.board[e.street + 3:e.street + 3])
    when e.street < len(e.sizes) then e.board[e.sizes[e.street] + 1:e.sizes[e.street + 1]]
    else e.board[e.street + 2:e.street + 2]
  end as cards,
  if(
    m.permutation is null,
    null,
    list_transform(cards, lambda card: m.permutation[strpos(ranks(), card[1])] || card[2])
  ) as cards_effective,
  cast(null as varchar) as replaced
from (
  select
    match_id, hand_index, discards, sizes, line, card_lines, board, seq,
    greatest(seq - deals + 1, 0) as street,
    if(seq < deals, cast(coalesce(seats[seq + 1], (dealer_seat + seq) % n_players) as tinyint), null) as seat
  from (
    select
      match_id, hand_index, discards, sizes, line, event_lines as card_lines, board, dealer_seat, n_players, seats, deals,
      unnest(range(len(event_lines))) as seq
    from (
      select
        h.* exclude (card_lines), g.discards, g.passes, coalesce(u.seats, o.seats) as seats,
        h.streets - 1 + coalesce(len(u.seats), h.n_players) as events,
        case
          when g.passes then coalesce(h.card_lines, list_resize(cast([] as smallint[]), h.n_players, 0))
          when h.card_lines is null then list_resize(cast([] as smallint[]), events, 0)
          when u.seats is null or len(h.card_lines) >= events then h.card_lines[1:events]
          -- What a showdown alone tells has no line of its own.
          else list_concat(list_resize(cast([] as smallint[]), events - len(h.card_lines), null), h.card_lines)
        end as event_lines,
        case
          when g.passes then len(event_lines)
          when u.seats is null then len(event_lines) - (h.streets - 1)
          else len(u.seats)
        end as deals,
        coalesce(d.board_cards, g.board_cards, [0, 3, 4, 5]) as sizes
      from stored.hands as h
      join stored.games as g on g.game = h.game and g.boards = 1 and g.button
      left join (select match_id, board_cards from stored.matches where board_cards is not null) as d
        on d.match_id = h.match_id
      left join (
        -- Of hands without some of the match's players, those who are in it, the dealer first.
        select s.match_id, s.hand_index,
          list(s.seat order by (s.seat - k.dealer_seat + len(m.players)) % len(m.players)) as seats
        from stored.hands as k
        join stored.matches as m on m.match_id = k.match_id and len(m.players) > k.n_players
        join stored.games as q on q.game = k.game and q.button
        join stored.seats as s on s.match_id = k.match_id and s.hand_index = k.hand_index
        group by s.match_id, s.hand_index
      ) as o on o.match_id = h.match_id and o.hand_index = h.hand_index
      left join (
        -- Of hands with unknown hole cards, the players whose cards are known, the dealer first.
        select s.match_id, s.hand_index,
          coalesce(
            list(
              s.seat order by (s.seat - coalesce(k.dealer_seat, 0) + len(m.players)) % len(m.players)
            ) filter (len(s.hole) > 0),
            []
          ) as seats
        from (select match_id, hand_index from stored.seats where hole is null group by all) as n
        join stored.hands as k on k.match_id = n.match_id and k.hand_index = n.hand_index
        join stored.matches as m on m.match_id = k.match_id
        join stored.seats as s on s.match_id = n.match_id and s.hand_index = n.hand_index
        group by s.match_id, s.hand_index
      ) as u on u.match_id = h.match_id and u.hand_index = h.hand_index
    )
  )
) as e
left join stored.seats as s on s.match_id = e.match_id and s.hand_index = e.hand_index and s.seat = e.seat
left join (select match_id, permutation from stored.matches where permutation is not null) as m
  on m.match_id = e.match_id
/*if changes: true*/
left join (
  select match_id, hand_index, list(line) as lines
  from stored.changes
  group by match_id, hand_index
) as c on c.match_id = e.match_id and c.hand_index = e.hand_index
union all
select
  c.match_id, c.hand_index,
  cast(
    row_number() over (partition by c.match_id, c.hand_index order by c.line) - 1
    + len(list_filter(h.card_lines, lambda x: h.line + x < c.line)) as smallint
  ),
  c.line, if(c.kind = 'board_redraw', null, c.seat), null, c.street, c.kind,
  if(c.kind in ('redraw', 'board_redraw'), c.cards[2:2], c.cards), null,
  if(c.kind in ('redraw', 'board_redraw'), c.cards[1], null)
from stored.changes as c
join stored.hands as h on h.match_id = c.match_id and h.hand_index = c.hand_index
/*end*/
/*if games: boards > 1*/
union all
select
  match_id, hand_index, cast(seq as smallint), line + card_lines[seq + 1], seat, board_no, cast(street as tinyint),
  kind, cards, null, null
from (
  select
    *,
    row_number() over (partition by match_id, hand_index order by stage, street, place, board_no) - 1 as seq
  from (
    select
      h.match_id, h.hand_index, h.line, h.card_lines, s.seat, cast(null as tinyint) as board_no, 0 as street,
      'deal' as kind, s.hole as cards, 0 as stage, abs(s.seat - h.dealer_seat) as place
    from stored.hands as h
    join stored.seats as s on s.match_id = h.match_id and s.hand_index = h.hand_index
    join stored.games as g on g.game = h.game and g.boards > 1
    union all
    select
      h.match_id, h.hand_index, h.line, h.card_lines, p.seat, b.board_no, 0,
      'assign', b.hole[p.seat + 1], 1, abs(p.seat - h.dealer_seat)
    from stored.hands as h
    join stored.boards as b on b.match_id = h.match_id and b.hand_index = h.hand_index
    cross join (values (cast(0 as tinyint)), (cast(1 as tinyint))) as p (seat)
    join stored.games as g on g.game = h.game and g.boards > 1
    where b.hole[p.seat + 1] is not null
    union all
    select
      h.match_id, h.hand_index, h.line, h.card_lines, null, b.board_no, p.street,
      'board', if(p.street = 1, b.cards[1:3], b.cards[p.street + 2:p.street + 2]), 2, 0
    from stored.hands as h
    join stored.boards as b on b.match_id = h.match_id and b.hand_index = h.hand_index
    cross join (values (1), (2), (3)) as p (street)
    join stored.games as g on g.game = h.game and g.boards > 1
    where len(b.cards) >= p.street + 2
  )
)
/*end*/
/*if games: not button*/
union all
select
  match_id, hand_index, cast(seq as smallint), line + card_lines[seq + 1], seat, null, cast(street as tinyint), kind,
  cards, null, null
from (
  select
    h.match_id, h.hand_index, h.line, h.card_lines, s.seat, 0 as street, 'deal' as kind, s.hole as cards,
    row_number() over (partition by h.match_id, h.hand_index order by s.seat) - 1 as seq
  from stored.hands as h
  join stored.seats as s on s.match_id = h.match_id and s.hand_index = h.hand_index
  join stored.games as g on g.game = h.game and not g.button
  where len(s.hole) > 0
  union all
  select
    h.match_id, h.hand_index, h.line, h.card_lines, null, p.street, 'board',
    if(p.street = 1, h.board[1:3], h.board[p.street + 2:p.street + 2]),
    len(h.card_lines) - h.streets + p.street
  from stored.hands as h
  cross join (values (1), (2), (3)) as p (street)
  join stored.games as g on g.game = h.game and not g.button
  where p.street < h.streets
)
/*end*/
