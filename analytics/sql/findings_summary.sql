-- name: findings_summary
-- suffixes: by_match
-- grain: event x game x rule x kind x verdict x deviation
-- columns:
--   match_id  UBIGINT  by_match: key of the match
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   rule  VARCHAR  the rule that was checked
--   kind  VARCHAR  pay legality log deck carry order damage unverified
--   verdict  VARCHAR  engine_deviation, violation, damaged, unverified
--   deviation  VARCHAR  known deviations that explain the finding, joined by +; null if none does
--   findings  BIGINT  differences between the log and the rules
--   hands  BIGINT  hands with at least one
--   chips_moved  DOUBLE  chips that changed hands or were lost: of each hand the larger of all gains and all losses
-- definition: the sums over all findings. Findings without a hand count only as findings.
select
  /*by_match match_id, */event, game, rule, kind, verdict, deviation,
  cast(sum(findings) as bigint) as findings,
  count(hand_index) as hands,
  coalesce(sum(moved), 0) as chips_moved
from (
  select
    f.match_id, m.event, m.game, f.rule, f.kind, f.verdict, f.deviation, f.hand_index,
    count(*) as findings,
    moved_by(f.chips) as moved
  from findings as f
  join matches as m on m.match_id = f.match_id
  group by all
)
group by all
