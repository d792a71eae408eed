with pay as (
  select match_id, deviation, sum(gained) as left_over, any_value(moved) as moved from who_gained group by all
),
moves as (select deviation, sum(moved) as moved, sum(left_over) as left_over from pay group by all),
single as (
  select string_agg(distinct f.deviation, '+' order by f.deviation) as deviation, f.match_id, f.hand_index,
    sum(-s.written_off) filter (where s.seat = h.dealer_seat) as dealer,
    moved_by(s.written_off) as moved
  from (
    select distinct match_id, hand_index, deviation
    from stored.findings where verdict = 'engine_deviation' and kind = 'pay'
  ) as f
  join stored.hands as h on h.match_id = f.match_id and h.hand_index = f.hand_index
  join stored.seats as s on s.match_id = f.match_id and s.hand_index = f.hand_index
  group by f.match_id, f.hand_index
),
hands_of as (select deviation, max(moved) as largest, sum(dealer) as dealer from single group by all)
select '`' || replace(f.deviation, '+', '` + `') || '`' as deviation, max(coalesce(k.kind, f.kind)) as kind, count(*) as findings,
  count(distinct (f.match_id, f.hand_index)) as hands,
  count(distinct (f.match_id, f.hand_index)) filter (where x.source = 'published') as "of published",
  count(distinct f.match_id) as matches,
  any_value(m.moved) as moved, any_value(h.dealer) as dealer, any_value(m.left_over) as "left over",
  any_value(h.largest) as largest
from stored.findings as f
join sources as x on x.match_id = f.match_id
left join moves as m on m.deviation = f.deviation
left join hands_of as h on h.deviation = f.deviation
left join kinds as k on k.deviation = split_part(f.deviation, '+', 1)
where f.verdict = 'engine_deviation'
group by f.deviation
order by f.deviation
