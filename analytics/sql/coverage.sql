-- name: coverage
-- grain: game
-- columns:
--   game  VARCHAR  the game that was played
--   files  BIGINT  logs that hold hands of it
--   matches  BIGINT  matches
--   hands  BIGINT  hands
--   ok  BIGINT  every line follows the written rules
--   engine_deviation  BIGINT  named deviations explain all that is not
--   violation  BIGINT  hands that no known engine explains
--   damaged  BIGINT  the lines contradict each other
--   unverified  BIGINT  hands that could not be checked: rules or input missing
--   left_out  BIGINT  hands in the ledger only, of the files whose first match is of the game
--   unknown_lines  BIGINT  lines of the same files that match no known format
-- definition: files, matches and hands of each game, and the verdicts of its hands.
with first_games as (
  select file_id, min_by(game, match_no) as game from matches group by file_id
),
ledgers as (
  select g.game, sum(f.hands_rejected) as left_out, sum(f.lines_unknown) as unknown_lines
  from files as f
  join first_games as g on g.file_id = f.file_id
  group by g.game
)
select
  m.game,
  count(distinct m.file_id) as files,
  count(distinct h.match_id) as matches,
  count(*) as hands,
  count(*) filter (where h.verdict = 'ok') as ok,
  count(*) filter (where h.verdict = 'engine_deviation') as engine_deviation,
  count(*) filter (where h.verdict = 'violation') as violation,
  count(*) filter (where h.verdict = 'damaged') as damaged,
  count(*) filter (where h.verdict = 'unverified') as unverified,
  cast(any_value(l.left_out) as bigint) as left_out,
  cast(any_value(l.unknown_lines) as bigint) as unknown_lines
from stored.hands as h
join matches as m on m.match_id = h.match_id
left join ledgers as l on l.game = m.game
group by m.game
order by m.game
