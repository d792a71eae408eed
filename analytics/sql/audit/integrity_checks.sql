-- name: integrity_checks
-- suffixes: by_match
-- grain: game x aspect
-- columns:
--   game  VARCHAR  the game that was played
--   match_id  UBIGINT  by_match: key of the match
--   aspect  VARCHAR  aspect of the rules (audit_rules)
--   hands  BIGINT  hands asked: all, of `seed` those of matches whose header prints one
--   violation  BIGINT  hands with a finding that no known engine explains
--   damaged  BIGINT  hands with one that damage explains
--   engine_deviation  BIGINT  hands with one that a named deviation explains
--   unverified  BIGINT  hands that could not be checked
--   rate  DOUBLE  violation / hands
--   rate_low  DOUBLE  lower end of its 95% interval
--   rate_high  DOUBLE  upper end
-- definition: how many hands break the rules, by aspect. An aspect without findings also has a row, because
--   its hands were checked.
with asked as (
  select h.game, /*by_match h.match_id, */h.aspect, count(*) as hands
  from (
    select m.game, x.match_id, a.aspect, m.seed
    from stored.hands as x
    join stored.matches as m on m.match_id = x.match_id
    cross join (select distinct aspect from audit_rules) as a
  ) as h
  where h.aspect <> 'seed' or h.seed is not null
  group by h.game, /*by_match h.match_id, */h.aspect
),
found as (
  select
    game, /*by_match match_id, */aspect,
    count(distinct if(verdict = 'violation', (match_id, hand_index), null)) as violation,
    count(distinct if(verdict = 'damaged', (match_id, hand_index), null)) as damaged,
    count(distinct if(verdict = 'engine_deviation', (match_id, hand_index), null)) as engine_deviation,
    count(distinct if(verdict = 'unverified', (match_id, hand_index), null)) as unverified
  from integrity_findings
  group by game, /*by_match match_id, */aspect
)
select
  a.game, /*by_match a.match_id, */a.aspect, a.hands,
  coalesce(f.violation, 0) as violation, coalesce(f.damaged, 0) as damaged,
  coalesce(f.engine_deviation, 0) as engine_deviation, coalesce(f.unverified, 0) as unverified,
  rate_of(coalesce(f.violation, 0), a.hands) as rate,
  wilson_low(coalesce(f.violation, 0), a.hands) as rate_low,
  wilson_high(coalesce(f.violation, 0), a.hands) as rate_high
from asked as a
left join found as f on f.game = a.game and f.aspect = a.aspect /*by_match and f.match_id = a.match_id */
