select *, (sum(hands) over (partition by game))::bigint as of_game from (
    select game, verdict, count(*) as hands from hands where among(match_id, $ids) group by all
) order by game, hands desc
