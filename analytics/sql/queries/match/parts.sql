-- Where the chips of each seat came from: by the street of its own last choice (null without one; 4 is the run), and by how
-- the hand ended for it. bb are per 100 of all its hands, so that those of a part add up to what it won; the interval is
-- that of view `results`, over the same units.
with played as (
    select s.match_id, s.hand_index, s.seat, s.delta, s.delta / m.unit as bb, h.ended_by,
        unit_of(g.cluster, g.cluster_hands, g.shared_cards, s.hand_index, h.hand_no) as block
    from stored.seats s
    join stored.hands h using (match_id, hand_index)
    join stored.matches m using (match_id)
    join stored.games g on g.game = m.game
    where s.delta is not null and among(s.match_id, $ids)
),
acts as (
    select match_id, hand_index, seat, max(street) filter (where origin = 'choice') as street,
        bool_or(action = 'fold') as folded
    from stored.actions
    where among(match_id, $ids)
    group by all
),
sizes as (
    select match_id, seat, count(*) as blocks, sum(n) as hands, sum(n * n) as hands_squares
    from (select match_id, seat, block, count(*) as n from played group by all)
    group by all
),
parted as (
    select p.match_id, p.seat, p.block, p.delta, p.bb,
        unnest([
            {'part': 'street', 'street': least(a.street, 4)::integer, 'ended': null},
            {'part': 'end', 'street': null, 'ended': if(p.ended_by is distinct from 'fold', 'showdown',
                if(coalesce(a.folded, false), 'folded', 'others folded'))}
        ], recursive := true)
    from played p left join acts a using (match_id, hand_index, seat)
),
sums as (
    select match_id, seat, part, street, ended, sum(n) as hands, sum(chips) as chips, sum(bb) as bb,
        sum(bb * bb) as squares, sum(bb * of_block) as products
    from (
        select p.match_id, p.seat, p.part, p.street, p.ended, count(*) as n, sum(p.delta) as chips, sum(p.bb) as bb,
            any_value(b.n) as of_block
        from parted p
        join (select match_id, seat, block, count(*) as n from played group by all) b using (match_id, seat, block)
        group by p.match_id, p.seat, p.part, p.street, p.ended, p.block
    )
    group by all
)
select x.match_id, x.seat, x.part, x.street, x.ended, x.hands::bigint as hands, x.chips, 100 * x.bb / s.hands as bb,
    100 * (x.bb / s.hands - t_975(s.blocks - 1) * e.se) as low, 100 * (x.bb / s.hands + t_975(s.blocks - 1) * e.se) as high
from sums x
join sizes s using (match_id, seat)
cross join lateral (
    select ratio_se(x.bb / s.hands, s.hands, s.blocks, x.squares, x.products, s.hands_squares) as se
) e
order by x.match_id, x.seat, x.part, x.street nulls first, x.ended
