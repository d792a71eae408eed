-- The deviations that hands are marked with, without amounts or players.
select game, deviation, count(*) as matches, sum(hands)::bigint as hands,
    arg_min((match_id, hand_index), list_position($ids, match_id)) as example
from (
    select game, match_id, deviation, count(*) as hands, min(hand_index) as hand_index
    from (
        select game, match_id, hand_index, unnest(deviations) as deviation from hands
        where among(match_id, $ids)
    )
    group by all
)
group by all order by game, hands desc, deviation
