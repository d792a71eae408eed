-- Each hand of a seat ($seats) of some matches ($ids) whose award is in the log: the street of the hand's last choice (at
-- most $last, for all of a run), the position, whether two hole cards were dealt as a pair, suited or offsuit, and how the hand ended.
select
  s.match_id, s.hand_index, s.seat,
  cast(least(coalesce(c.street, 0), $last) as integer) as street,
  coalesce(s.position, '') as position,
  position_place(s.position) as position_place,
  case
    when len(list_filter(s.hole, lambda card: card is not null)) <> 2 or s.hole is null then 'not seen'
    when s.hole[1][1] = s.hole[2][1] then 'pair'
    when s.hole[1][2] = s.hole[2][2] then 'suited'
    else 'offsuit'
  end as hole,
  coalesce(h.ended_by, 'unknown') as ended
from (select unnest($ids)::ubigint as match_id, unnest($seats)::tinyint as seat) as a
join stored.seats as s on s.match_id = a.match_id and s.seat = a.seat
join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
left join (
  select match_id, hand_index, max(street) as street
  from actions
  where origin = 'choice' and among(match_id, $ids)
  group by match_id, hand_index
) as c on c.match_id = s.match_id and c.hand_index = s.hand_index
where s.delta is not null
order by s.match_id, s.hand_index
