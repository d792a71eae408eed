select *, (sum(hands) over (partition by game))::bigint as of_game from (
    select game, verdict, count(*) as hands from hands where list_contains($ids, match_id) group by all
) order by game, hands desc
