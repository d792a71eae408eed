-- name: deviations
-- grain: event x game x match x deviation x player
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   match_id  UBIGINT  key of the match
--   deviation  VARCHAR  its name; names joined by + explain a hand only together
--   kind  VARCHAR  pay, legality, log
--   seat  TINYINT  seat of the player; null if the finding does not concern one player
--   player  VARCHAR  player that the findings concern; for kind pay the player who gained
--   findings  BIGINT  differences between the log and the written rules
--   hands  BIGINT  hands with at least one
--   chips  DOUBLE  chips gained compared with the written rules; 0 if the deviation is not about pay
-- definition: what known engines do against their written rules, and who gains. The opponent loses the same chips.
select
  m.event, m.game, f.match_id, f.deviation, f.kind, f.seat, f.player,
  count(*) as findings,
  count(distinct f.hand_index) as hands,
  coalesce(sum(f.chips), 0) as chips
from findings as f
join matches as m on m.match_id = f.match_id
where f.deviation is not null
group by all
