-- name: koper_standings
-- grain: log x entrant
-- columns:
--   file_id  UBIGINT  the log: one match of v1, the tournament of v2
--   event  VARCHAR  tournament or event of the match
--   entrant  INTEGER  the player's place in the first match, from 0
--   player  VARCHAR  name of the player in the log
--   matches  BIGINT  matches played
--   games  BIGINT  games the player was in
--   wins  DOUBLE  wins as the engine counts them
--   profit  DOUBLE  chips won
--   profit_written  DOUBLE  chips won if every game were paid as written
--   eliminations  BIGINT  matches in which the player was eliminated
--   rank_by_wins  BIGINT  place by wins, then by profit
--   rank_by_profit  BIGINT  place by profit, then by wins
-- definition: the standings of a Koper log, by wins and by profit. The v2 engine ranks a tournament by profit, v1
--   lists both.
select
  *,
  rank() over (partition by file_id order by wins desc, profit desc) as rank_by_wins,
  rank() over (partition by file_id order by profit desc, wins desc) as rank_by_profit
from (
  select
    file_id, event, entrant, player,
    count(*) as matches,
    cast(sum(games) as bigint) as games,
    round(sum(wins), 9) as wins,
    chips_of(profit) as profit,
    chips_of(profit_written) as profit_written,
    count(eliminated_in) as eliminations
  from koper_results
  group by all
)
