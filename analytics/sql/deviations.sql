-- name: deviations
-- grain: event x game x match x deviation x player
-- columns:
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   match_id  UBIGINT  key of the match
--   deviation  VARCHAR  its name; names joined by + where only several together explain a hand
--   kind  VARCHAR  pay, legality, log
--   seat  TINYINT  seat of the player; null where the finding concerns no one player
--   player  VARCHAR  whom the findings concern: of pay, who gained
--   findings  BIGINT  differences between the log and the written rules
--   hands  BIGINT  hands with at least one
--   chips  DOUBLE  chips gained against the written rules; 0 where the deviation is not about pay
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
