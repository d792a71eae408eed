-- The deviations that hands are marked with, without amounts or players.
select game, deviation, count(distinct match_id) as matches, count(*) as hands, min((match_id, hand_index)) as example
from (
    select game, match_id, hand_index, unnest(deviations) as deviation from hands
    where list_contains($ids, match_id)
)
group by all order by game, hands desc, deviation
