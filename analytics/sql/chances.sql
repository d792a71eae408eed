-- name: chances
-- grain: hand x seat x statistic
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  the match's hands from 0
--   seat  TINYINT  place in the match, from 0
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   player  VARCHAR  the log's own name
--   opponent  VARCHAR  the name across the table
--   position  VARCHAR  place in this hand
--   statistic  VARCHAR  its name in statistics
--   opportunities  BIGINT  1
--   successes  BIGINT  1 where it was taken, else 0
-- definition: one row where a player had the opportunity that statistics describes, so that any rate is
--   sum(successes) / sum(opportunities). Damaged hands are left out.
select
  s.match_id, s.hand_index, s.seat, p.event, p.game, p.player, p.opponent, s.position, t.statistic,
  cast(1 as bigint) as opportunities,
  cast(s.flags & flag_bit(t.success_flag) <> 0 as bigint) as successes
from stored.seats as s
join statistics as t on s.flags & flag_bit(t.opportunity_flag) = flag_bit(t.opportunity_flag)
join players as p on p.match_id = s.match_id and p.seat = s.seat
anti join damaged_hands as d on d.match_id = s.match_id and d.hand_index = s.hand_index
