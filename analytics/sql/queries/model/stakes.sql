-- The stack and the blinds that most of some matches of a player have.
select m.starting_stacks[1] as stack, m.blinds
from stored.matches as m
join players as p on p.match_id = m.match_id
where among(m.match_id, $ids) and p.player = $player and p.namesake_seat is not distinct from $seat
    and m.starting_stacks[1] is not null
group by all
order by count(*) desc, stack desc, m.blinds desc
limit 1
