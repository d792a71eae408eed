select c.game, c.aspect, c.hands, c.violation, c.damaged, c.engine_deviation, c.unverified,
  rate_of(c.violation, c.hands) as rate, wilson_low(c.violation, c.hands) as rate_low,
  wilson_high(c.violation, c.hands) as rate_high, f.match_id, f.hand_index, c.violation > 0 as concern
from (
  select game, aspect, cast(sum(hands) as bigint) as hands, cast(sum(violation) as bigint) as violation,
    cast(sum(damaged) as bigint) as damaged, cast(sum(engine_deviation) as bigint) as engine_deviation,
    cast(sum(unverified) as bigint) as unverified
  from integrity_checks_by_match
  where match_id in (select unnest($ids))
  group by game, aspect
) as c
left join (
  select game, aspect, (min((verdict <> 'violation', verdict, match_id, hand_index))) as first,
    first[3] as match_id, first[4] as hand_index
  from integrity_findings
  where match_id in (select unnest($ids))
  group by game, aspect
) as f on f.game = c.game and f.aspect = c.aspect
order by c.game, c.aspect
