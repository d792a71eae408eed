-- The hands that meet every condition of `railbird hands`. What stands in a comment /*NAME ... */ belongs to a condition
-- and is left out without it; situations_of stands for the view of the situation (`analytics/found_hands.py`).
-- belief is left out unless hands are ordered by it: the probability of a decision's note against whether its seat won, by
-- the chips that it won or lost.
-- The parameter ids has matches in the order of play; pots has comparisons {sign, chips, bb}, of which chips or bb is null.
with chosen as (
  select unnest($ids) as match_id, unnest(range(len($ids))) as place
),
/*belief beliefs as (
  select
    n.match_id, n.hand_index, n.seat,
    max(abs(n.probability - if(s.delta > 0, 1, 0)) * abs(s.delta)) as gap,
    arg_max(n.probability, abs(n.probability - if(s.delta > 0, 1, 0))) as belief
  from stored.notes as n
  join stored.seats as s on s.match_id = n.match_id and s.hand_index = n.hand_index and s.seat = n.seat
  where n.probability is not null and s.delta is not null
  group by all
), */
of_seats as (
  select
    s.match_id, s.hand_index, max(s.delta) as best, min(s.delta) as worst
    /*belief , max(b.gap) as gap, arg_max(b.belief, b.gap) as belief */
  from stored.seats as s
  join chosen as c on c.match_id = s.match_id
  join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
  join stored.games as g on g.game = h.game
  /*belief join beliefs as b on b.match_id = s.match_id and b.hand_index = s.hand_index and b.seat = s.seat */
  where true
  /*player and s.player = $player */
  /*against and exists (
    from stored.seats as o
    where o.match_id = s.match_id and o.hand_index = s.hand_index and o.seat <> s.seat and o.player = $against
  ) */
  /*did and exists (
    from moves as d
    where d.match_id = s.match_id and d.hand_index = s.hand_index and d.seat = s.seat and d.move = $did
      and ($street is null or coalesce(g.streets[d.street + 1], 'run') = $street)
  ) */
  /*situation and exists (
    from situations_of as w
    where w.match_id = s.match_id and w.hand_index = s.hand_index and coalesce(w.seat, s.seat) = s.seat
      and w.situation = $situation
      and ($street is null or w.street is null or $did is not null or coalesce(g.streets[w.street + 1], 'run') = $street)
  ) */
  /*street and (
    list_contains(g.streets[:h.streets], $street) or ($street = 'run' and h.streets > len(g.streets))
  ) */
  /*showdown and h.ended_by in ('showdown', 'mixed') */
  group by s.match_id, s.hand_index
),
found as (
  select
    c.place, m.event, m.unit, m.file_id, p.match_id, p.hand_index, p.played_for,
    /*belief o.belief, */
    count(*) over () as total,
    row_number() over (
      order by
        /*belief -o.gap, */
        case $sort when 'pot' then -p.played_for when 'won' then -o.best when 'lost' then o.worst end nulls last,
        if($sort = 'pot', -greatest(o.best, -o.worst), null) nulls last,
        c.place, p.hand_index
    ) as number
  from chosen as c
  join matches as m on m.match_id = c.match_id
  join pots as p on p.match_id = c.match_id
  join of_seats as o on o.match_id = p.match_id and o.hand_index = p.hand_index
  where true
  /*pots and len(list_filter($pots, lambda one: coalesce(
      case one.sign
        when '>' then coalesce(p.played_for > one.chips, p.played_for / m.unit > one.bb)
        when '>=' then coalesce(p.played_for >= one.chips, p.played_for / m.unit >= one.bb)
        when '<' then coalesce(p.played_for < one.chips, p.played_for / m.unit < one.bb)
        when '<=' then coalesce(p.played_for <= one.chips, p.played_for / m.unit <= one.bb)
      end,
      false
    ))) = len($pots) */
  qualify $most is null or number <= $most
)
select
  f.match_id, f.hand_index, f.match_id || '#' || f.hand_index as hand, f.event, h.game, e.path, h.hand_no, h.line,
  list(s.player order by s.seat) as players,
  list(s.delta order by s.seat) as deltas,
  list(list_transform(s.hole_final, lambda card: coalesce(card, '?')) order by s.seat) as holes,
  list_transform(coalesce(h.board_changed, h.board), lambda card: coalesce(card, '?')) as board,
  h.streets, h.ended_by,
  f.played_for as pot,
  f.played_for / f.unit as pot_bb,
  h.verdict, f.total, f.number /*belief , f.belief */
from found as f
join hands as h on h.match_id = f.match_id and h.hand_index = f.hand_index
join seats as s on s.match_id = f.match_id and s.hand_index = f.hand_index
left join files as e on e.file_id = f.file_id
group by all
order by f.number
