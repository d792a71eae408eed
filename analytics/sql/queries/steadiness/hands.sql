select h.match_id,
    list(
        coalesce(cluster_of(g.cluster, g.cluster_hands, h.hand_index, h.hand_no), h.hand_index)
        order by h.hand_index
    ) as units,
    count(*) filter (where not in_second_half(h.hand_index, coalesce(l.hand_index, m.hands))) as half
from stored.hands as h
join matches as m on m.match_id = h.match_id
join games as g on g.game = h.game and not g.simultaneous
left join lock_points as l on l.match_id = h.match_id
where h.hand_index < coalesce(l.hand_index, m.hands) and ($player is null or exists (
    select 1 from players as p where p.match_id = h.match_id and p.player = $player))
group by h.match_id
