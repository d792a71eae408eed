-- name: lock_points
-- grain: match of two players that is won by having more chips
-- table: in a store limited to one player
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  the first hand before which the lead is safe; null if there is none
--   seat  TINYINT  seat of the leader
--   player  VARCHAR  name of the player in the log
--   lead  DOUBLE  chips ahead of the opponent before that hand
--   cost  DOUBLE  chips by which the lead shrinks if the leader folds every hand from there on
--   hands_left  INTEGER  hands of the match from there on, by their numbers: some may be missing from the log
-- definition: the lock point. the first hand i (of N, from 0) from which the leader could fold every hand and
--   still win. With N - i hands left it would lose the blinds in turn, each to the opponent, so a lead of L
--   chips would shrink by 2 x (blinds lost), in Blotto on each of three boards, and also by the 6 big blinds
--   per round that nobody put in. The lead is safe if L is more than that. In Bounty the opponent may hit the
--   rank in every hand, so a fold costs 1.5 x blind + 10, rounded up. Only matches whose log has the end and
--   that the player with more chips wins (MIT's) have one; ACPC and Koper count every chip.
with leads as (
  select
    s.match_id, s.hand_index, s.seat, m.blinds, m.hands - s.hand_index + coalesce(g.missing, 0) as hands_left,
    fold_costs(g.bounty_factor, g.bounty_bonus, m.blinds) as folds,
    s.position = 'SB' as deals,
    g.boards,
    coalesce(list_sum(g.free_chips), 0) as free_chips,
    if(
      g.free_chips is not null,
      s.bankroll_before - o.bankroll_before,
      2 * s.bankroll_before - f.both
    ) as lead
  from stored.seats as s
  join stored.matches as m on m.match_id = s.match_id
  join stored.games as g on g.game = m.game and g.most_chips_win
  join (
    select match_id, sum(bankroll_before) as both from stored.seats where hand_index = 0 group by match_id
  ) as f on f.match_id = s.match_id
  left join (
    select
      h.match_id, h.hand_index,
      max(h.hand_no) over w - h.hand_no + 1 - (count(*) over w - h.hand_index) as missing
    from stored.hands as h
    semi join renumbered as r on r.match_id = h.match_id
    window w as (partition by h.match_id)
  ) as g on g.match_id = s.match_id and g.hand_index = s.hand_index
  left join (
    select q.match_id, q.hand_index, q.seat, q.bankroll_before
    from stored.seats as q
    join stored.matches as b on b.match_id = q.match_id
    join stored.games as c on c.game = b.game and c.free_chips is not null
  ) as o on o.match_id = s.match_id and o.hand_index = s.hand_index and o.seat <> s.seat
  where m.complete and len(m.players) = 2
),
priced as (
  select
    match_id, hand_index, seat, lead, hands_left,
    boards * 2 * (folds[1] * ((hands_left + deals::integer) // 2) + folds[-1] * ((hands_left + 1 - deals::integer) // 2))
    + free_chips * blinds[-1] * hands_left as cost
  from leads
)
select
  m.match_id, k.hand_index, k.seat, m.players[k.seat + 1] as player, k.lead, k.cost,
  cast(k.hands_left as integer) as hands_left
from stored.matches as m
left join (
  select
    match_id,
    min(hand_index) as hand_index,
    arg_min(seat, hand_index) as seat,
    arg_min(lead, hand_index) as lead,
    arg_min(cost, hand_index) as cost,
    arg_min(hands_left, hand_index) as hands_left
  from priced
  where lead > cost
  group by match_id
) as k on k.match_id = m.match_id
join stored.games as g on g.game = m.game and g.most_chips_win
where len(m.players) = 2
