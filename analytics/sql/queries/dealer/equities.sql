-- What the cards gave each player, in sums over matches by who it is; each is 0 on average whatever the players do.
--   best hand   of the hole cards: 1, or the share in a tie, for the highest equity, less 1 / players
--   equity      of all cards of two players who choose no cards: the last equity less 1/2
--   high cards  of the hole cards, where the game has no equity of them: the mean rank less that of all players' cards
--   winnings    of the board: value - value_before of the relation equities, over the chips at stake
with known as (
  select e.*, h.n_players, g.swaps, g.auctions or g.discards or g.redraws or g.passes or g.throws or g.own_rules as chooses
  from equities as e
  join stored.hands as h on h.match_id = e.match_id and h.hand_index = e.hand_index
  join stored.games as g on g.game = h.game
  where among(e.match_id, $ids)
),
gains as (
  select match_id, hand_index, seat, 'best hand' as test, 'hole cards' as place,
    if(equity_actual = best, 1 / ties, 0) - 1 / n_players as gain
  from (
    select *, count(*) over (partition by match_id, hand_index, equity_actual) as ties
    from (
      select match_id, hand_index, seat, n_players, round(equity_actual, 9) as equity_actual,
        max(round(equity_actual, 9)) over (partition by match_id, hand_index) as best,
        count(*) over (partition by match_id, hand_index) as seats
      from known
      where street = 0 and board_no is null and equity_actual is not null
    )
    where seats = n_players
  )
  union all
  select match_id, hand_index, seat, 'equity', 'all cards', arg_max(equity_actual, street) - 0.5
  from known
  where n_players = 2 and board_no is null and not chooses and equity_actual is not null
  group by match_id, hand_index, seat
  union all
  select match_id, hand_index, seat, 'winnings', 'board', sum((value - value_before) / nullif(stake, 0))
  from known
  where street > 0
  group by match_id, hand_index, seat
),
held as (
  select d.match_id, d.hand_index, d.seat, count(*) over (partition by d.match_id, d.hand_index) as seats, h.n_players,
    list_avg(list_transform(d.cards, lambda card: instr($ranks, card[1]))) as rank
  from deals as d
  join stored.hands as h on h.match_id = d.match_id and h.hand_index = d.hand_index
  where among(d.match_id, $ids) and d.kind = 'deal' and h.verdict <> 'damaged'
    and d.match_id not in (select match_id from gains where test = 'best hand')
),
given as (
  select * from gains
  union all
  select match_id, hand_index, seat, 'high cards', 'hole cards',
    rank - avg(rank) over (partition by match_id, hand_index)
  from held
  where seats = n_players
),
named as (
  select n.test, n.place, n.gain, n.match_id, m.event, m.game,
    unnest([
      {'kind': 'player', 'who': s.player},
      {'kind': 'position', 'who': s.position},
      {'kind': 'seat', 'who': cast(n.seat as varchar)}
    ], recursive := true)
  from given as n
  join stored.matches as m on m.match_id = n.match_id
  join stored.seats as s on s.match_id = n.match_id and s.hand_index = n.hand_index and s.seat = n.seat
  where n.gain is not null
)
select event, game, test, place, kind, who, count(distinct match_id) as matches, count(*) as hands,
  sum(gain) as gained, sum(gain * gain) as squares, min(match_id) as match_id
from named
where who is not null
group by all
order by all
