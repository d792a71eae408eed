-- Chips of some players of a competition after about $points of their hands, the same for all, and after each's last one.
-- matches and indices: match_id and hand_index of the hand after which they were so.
-- $ids are its matches in the order of play, $names and $seats say which players.
with wanted as (
  select unnest($names) as player, unnest($seats) as seat
),
ordered as (
  select unnest($ids) as match_id, unnest(range(len($ids))) as place
),
sums as (
  select
    p.player, p.namesake_seat as seat,
    row_number() over run as hand, s.match_id::varchar as match_id, s.hand_index,
    sum(s.delta) over run as chips,
    count(*) over (partition by p.player, p.namesake_seat) as hands
  from ordered as o
  join players as p on p.match_id = o.match_id
  join wanted as w on w.player = p.player and w.seat is not distinct from p.namesake_seat
  join stored.seats as s on s.match_id = p.match_id and s.seat = p.seat
  where s.delta is not null
  window run as (partition by p.player, p.namesake_seat order by o.place, s.hand_index)
)
select
  player, seat, list(hand order by hand) as hands, list(chips order by hand) as chips,
  list(match_id order by hand) as matches, list(hand_index order by hand) as indices
from (select *, max(hands) over () as most from sums)
where hand % greatest(most // $points, 1) = 0 or hand = hands
group by player, seat
