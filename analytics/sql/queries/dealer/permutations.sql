-- The permutations of an event's matches, each a list of ranks.
select m.event, m.game, g.permutation_stay, list(m.permutation order by m.match_id), min(m.match_id)
from stored.matches as m
join stored.games as g on g.game = m.game
where m.permutation is not null and g.permutation_stay is not null and among(m.match_id, $ids)
group by m.event, m.game, g.permutation_stay
order by all
