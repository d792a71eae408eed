-- name: duplicate_deals
-- grain: duplicate group of two or more matches
-- columns:
--   duplicate_group  UBIGINT  matches of the same players, game and cards
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   matches  BIGINT  matches of the group
--   seatings  BIGINT  different seatings among them
--   hands_compared  BIGINT  hand numbers that two or more of them hold
--   hands_differing  BIGINT  those in which a position was dealt other hole cards, or the boards part before one ends
-- definition: whether duplicates were dealt the same cards. ACPC games are compared by position, Koper by seat. A
--   player who is not dealt in by one of the matches is not compared, nor is the board of a hand that lacks one of
--   them.
with dealt as (
  select
    m.duplicate_group, s.match_id, h.hand_no,
    if(g.button, s.position, cast(s.seat as varchar)) as place,
    if(len(s.hole) > 0, s.hole, null) as hole,
    h.board
  from matches as m
  join stored.games as g on g.game = m.game
  join stored.seats as s on s.match_id = m.match_id
  join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
  where m.duplicate_group is not null
),
seats_dealt as (
  select
    duplicate_group, match_id, hand_no,
    any_value(board) as board,
    list(place order by place) filter (where hole is not null) as places
  from dealt
  group by all
),
board_pairs as (
  select a.duplicate_group, a.hand_no, bool_or(a.board[1:least(len(a.board), len(b.board))]
      <> b.board[1:least(len(a.board), len(b.board))]) as differs
  from seats_dealt as a
  join seats_dealt as b
    on b.duplicate_group = a.duplicate_group and b.hand_no = a.hand_no and b.match_id > a.match_id
      and b.places = a.places
  group by all
),
holes as (
  select duplicate_group, hand_no, max(other) > 1 as differs
  from (
    select duplicate_group, hand_no, place, count(distinct hole) as other
    from dealt
    group by all
    having count(hole) > 1
  )
  group by all
)
select
  g.duplicate_group, g.event, g.game, g.matches, g.seatings,
  count(h.hand_no) as hands_compared,
  count(*) filter (where h.differs or coalesce(b.differs, false)) as hands_differing
from (
  select
    duplicate_group, any_value(event) as event, any_value(game) as game, count(*) as matches,
    count(distinct players) as seatings
  from matches
  where duplicate_group is not null
  group by duplicate_group
  having count(*) > 1
) as g
left join holes as h on h.duplicate_group = g.duplicate_group
left join board_pairs as b on b.duplicate_group = h.duplicate_group and b.hand_no = h.hand_no
group by g.duplicate_group, g.event, g.game, g.matches, g.seatings
