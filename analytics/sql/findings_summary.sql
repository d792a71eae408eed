-- name: findings_summary
-- grain: event x game x rule x kind x verdict x deviation
-- columns:
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   rule  VARCHAR  the check
--   kind  VARCHAR  pay legality log deck carry order damage unverified
--   verdict  VARCHAR  engine_deviation, violation, damaged, unverified
--   deviation  VARCHAR  names joined by +; null where none explains it
--   findings  BIGINT  differences between the log and the rules
--   hands  BIGINT  hands with at least one
--   chips_moved  DOUBLE  chips that went to another than the written rules say
-- definition: every finding, added up. Findings without a hand count as findings only.
select
  m.event, m.game, f.rule, f.kind, f.verdict, f.deviation,
  count(*) as findings,
  count(distinct if(f.hand_index is null, null, (f.match_id, f.hand_index))) as hands,
  coalesce(sum(abs(f.chips)), 0) as chips_moved
from findings as f
join matches as m on m.match_id = f.match_id
group by all
