select game, verdict, deviation, rule, kind, sum(findings)::bigint as findings, sum(hands)::bigint as hands,
    sum(chips_moved) as chips_moved
from findings_summary_by_match where among(match_id, $ids)
group by all order by game, verdict, hands desc, deviation, rule
