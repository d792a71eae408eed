-- Both sides of the likeliest change of some (match, seat, statistic): counts and Wilson's interval, over clusters.
select match_id, seat, statistic, after, sum(n)::bigint as n,
    rate_low(sum(k), sum(n), spread_of(n, k, drawn)) as low,
    rate_high(sum(k), sum(n), spread_of(n, k, drawn)) as high
from (
    select c.match_id, c.seat, c.statistic, c.hand_index >= w.cut as after, sum(c.opportunities) as n,
        sum(c.successes) as k, coalesce(r.hand_no, f.hand_no + c.hand_index) as number,
        cluster_of(f.cluster, f.cluster_hands, c.hand_index, number) as drawn,
        coalesce(drawn, c.hand_index) as unit
    from chances_before_lock c join match_starts f using (match_id)
    left join renumbered r using (match_id, hand_index)
    join (select unnest($matches) as match_id, unnest($seats) as seat, unnest($statistics) as statistic,
        unnest($cuts) as cut) w using (match_id, seat, statistic)
    group by all
) group by match_id, seat, statistic, after
