-- name: origins
-- grain: match x seat
-- columns:
--   match_id  UBIGINT  key of the match
--   seat  TINYINT  seat in the match, from 0
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   opponent  VARCHAR  name of the opponent
--   choices  BIGINT  decisions of the player's own
--   free_folds  BIGINT  among them, folds although a check is free
--   substitutes  BIGINT  actions by the engine for a bot that was late, disconnected or at fault
--   allin  BIGINT  checks and folds after an all-in, when there is no decision
--   dummies  BIGINT  fillers of the log
-- definition: who made the logged actions, posts not counted. Statistics count only choices; this view counts
--   the other actions too.
select
  n.match_id, n.seat, p.event, p.game, p.player, p.opponent,
  n.choices, n.free_folds, n.substitutes, n.allin, n.dummies
from (
  select
    match_id, seat,
    count(*) filter (where origin = 'choice') as choices,
    count(*) filter (where origin = 'choice' and action = 'fold' and to_call = 0) as free_folds,
    count(*) filter (where origin = 'substitute') as substitutes,
    count(*) filter (where origin = 'allin') as allin,
    count(*) filter (where origin = 'dummy') as dummies
  from stored.actions
  where origin <> 'post'
  group by match_id, seat
) as n
join players as p on p.match_id = n.match_id and p.seat = n.seat
