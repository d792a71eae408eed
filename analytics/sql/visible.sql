-- name: visible
-- grain: fact x player who saw it
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  the hand
--   viewer_seat  TINYINT  seat of the player who saw it
--   item  VARCHAR  hole, board, action, bounty, own cards after a change (swap auction assign pass), the opponent's card that an auction or a step shows (reveal), the board's next card (reveal_board), bought, discard, replaced, win_prob, shown, hit
--   seat  TINYINT  seat of the player it belongs to; null for the board
--   board_no  TINYINT  number of the board in games of several boards; else null
--   from_street  TINYINT  seen by decisions of this street and later ones; 99: only in later hands
--   from_seq  SMALLINT  and by decisions of a higher seq than this
--   cards  VARCHAR[]  the cards; null if the fact is not cards
--   value  VARCHAR  an action with its amount, a rank, a probability; null for cards
-- definition: the facts that each player had learned (docs/visibility.md), so that no model of a player uses
--   what that player could not know. At decision (hand h, street s, seq q) a player had seen the rows of
--   hands before h, and those of hand h with from_street <= s and from_seq < q.
with viewers as (
  select match_id, hand_index, seat as viewer_seat from stored.seats
),
ended as (
  select h.match_id, h.hand_index, h.ended_by, g.shows_folded, g.boards
  from stored.hands as h
  join stored.games as g on g.game = h.game
),
folded as (
  select distinct match_id, hand_index, seat from stored.actions where action = 'fold' and board_no is null
),
-- A bid is seen once both are made, and a decision on three boards once all three are.
made as not materialized (
  -- Else it is made of all matches, though a query asks for one.
  select
    a.*,
    coalesce(b.last_seq, if(a.board_no is null, a.seq, 3 * decision_of(a.board_no, a.seq) + 2))::smallint as told_seq
  from stored.actions as a
  left join (select match_id, hand_index, max(seq) as last_seq from stored.actions where action = 'bid' group by all) as b
    on b.match_id = a.match_id and b.hand_index = a.hand_index and a.action = 'bid'
),
-- Cards that come by a decision are there after it, all others before the street's first.
dealt as not materialized (
  select d.*, coalesce(a.told_seq, p.last_seq, t.last_seq, -1)::smallint as told_seq
  from deals as d
  left join made as a
    on a.match_id = d.match_id and a.hand_index = d.hand_index and a.seat = d.seat
    and a.board_no is not distinct from d.board_no
    and a.action = case when d.kind in ('auction', 'reveal') then 'bid' when d.kind = 'swap' then 'discard' else d.kind end
    and (a.action in (d.kind, 'bid') or a.street = d.street)
    and d.kind <> 'pass'
  left join (
    select match_id, hand_index, street, max(seq) as last_seq from stored.actions where action = 'pass' group by all
  ) as p on p.match_id = d.match_id and p.hand_index = d.hand_index and p.street = d.street and d.kind = 'pass'
  left join (
    select match_id, hand_index, street, seat, max(seq) as last_seq from stored.actions where action = 'accept' group by all
  ) as t on t.match_id = d.match_id and t.hand_index = d.hand_index and t.street = d.street and t.seat = d.seat
    and d.kind in ('reveal', 'reveal_board', 'bought')
)
select
  match_id, hand_index, seat as viewer_seat, if(kind = 'deal', 'hole', kind) as item,
  case kind when 'reveal' then 1 - seat when 'reveal_board' then null else seat end::tinyint as seat, board_no,
  cast(street as tinyint) as from_street, told_seq as from_seq, cards, cast(null as varchar) as value
from dealt
where kind not in ('board', 'discard', 'redraw', 'board_redraw')
union all
select d.match_id, d.hand_index, v.viewer_seat, d.kind, d.seat, d.board_no, d.street, d.told_seq, d.cards, null
from dealt as d
join viewers as v on v.match_id = d.match_id and v.hand_index = d.hand_index
where d.kind = 'board'
union all
-- Nobody else sees a card that is thrown away.
select d.match_id, d.hand_index, v.viewer_seat, d.kind, d.seat, d.board_no, d.street, d.told_seq, d.cards, null
from dealt as d
join stored.hands as h on h.match_id = d.match_id and h.hand_index = d.hand_index
join stored.games as g on g.game = h.game
join viewers as v on v.match_id = d.match_id and v.hand_index = d.hand_index
  and (v.viewer_seat = d.seat or not g.throws)
where d.kind = 'discard'
union all
-- The opponent sees the card that a redraw replaces. Nobody sees the new one, unless it lies on the board of the next street.
select c.match_id, c.hand_index, v.viewer_seat, 'replaced', c.seat, null, c.street, a.seq, c.cards[1:1], null
from stored.changes as c
join stored.actions as a on a.match_id = c.match_id and a.hand_index = c.hand_index and a.line = c.line
join viewers as v on v.match_id = c.match_id and v.hand_index = c.hand_index and v.viewer_seat <> c.seat
where c.kind in ('redraw', 'board_redraw') and c.cards[1] is not null
union all
select c.match_id, c.hand_index, v.viewer_seat, 'board', null, null, cast(c.street + 1 as tinyint), cast(-1 as smallint), c.cards[2:2], null
from stored.changes as c
join stored.hands as h on h.match_id = c.match_id and h.hand_index = c.hand_index
join viewers as v on v.match_id = c.match_id and v.hand_index = c.hand_index
where c.kind = 'board_redraw' and c.cards[2] is not null and list_contains(h.board_changed, c.cards[2])
union all
select
  a.match_id, a.hand_index, v.viewer_seat, 'action', a.seat, a.board_no, a.street, a.told_seq, null,
  a.action || coalesce(' ' || format('{:.10g}', coalesce(a.raise_to, a.amount_printed)), '')
from made as a
join viewers as v on v.match_id = a.match_id and v.hand_index = a.hand_index
union all
select match_id, hand_index, seat, 'bounty', seat, null, cast(0 as tinyint), cast(-1 as smallint), null, bounty_rank
from stored.seats
where bounty_rank is not null
union all
select match_id, hand_index, seat, 'win_prob', seat, null, street, cast(seq - 1 as smallint), null, cast(win_prob as varchar)
from stored.actions
where win_prob is not null
union all
select a.match_id, a.hand_index, v.viewer_seat, 'win_prob', a.seat, null, cast(99 as tinyint), cast(-1 as smallint), null, cast(a.win_prob as varchar)
from stored.actions as a
join viewers as v on v.match_id = a.match_id and v.hand_index = a.hand_index and v.viewer_seat <> a.seat
where a.win_prob is not null
union all
select s.match_id, s.hand_index, v.viewer_seat, 'shown', s.seat, null, cast(99 as tinyint), cast(-1 as smallint), coalesce(s.hole_changed, s.hole), null
from stored.seats as s
join ended as h on h.match_id = s.match_id and h.hand_index = s.hand_index
join viewers as v on v.match_id = s.match_id and v.hand_index = s.hand_index and v.viewer_seat <> s.seat
left join folded as f on f.match_id = s.match_id and f.hand_index = s.hand_index and f.seat = s.seat
where h.shows_folded or (h.ended_by = 'showdown' and h.boards = 1 and f.seat is null)
union all
select b.match_id, b.hand_index, v.viewer_seat, 'shown', p.seat, b.board_no, cast(99 as tinyint), cast(-1 as smallint), b.hole[p.seat + 1], null
from stored.boards as b
join stored.seats as p on p.match_id = b.match_id and p.hand_index = b.hand_index
join viewers as v on v.match_id = b.match_id and v.hand_index = b.hand_index and v.viewer_seat <> p.seat
where b.ended_by = 'showdown' and b.hole is not null
union all
select s.match_id, s.hand_index, v.viewer_seat, 'hit', s.seat, null, cast(99 as tinyint), cast(-1 as smallint), null, if(s.bounty_hit, 'hit', 'no hit')
from seats as s
join viewers as v on v.match_id = s.match_id and v.hand_index = s.hand_index and v.viewer_seat <> s.seat
where s.bounty_hit is not null and (s.won_hand or s.tied_showdown)
