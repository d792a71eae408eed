-- name: tendencies_by_match
-- grain: match x seat x statistic
-- columns:
--   match_id  UBIGINT  key of the match
--   seat  TINYINT  place in the match, from 0
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   player  VARCHAR  the log's own name
--   opponent  VARCHAR  the name across the table
--   namesake_seat  TINYINT  the seat where the match holds the name twice, else null
--   statistic  VARCHAR  its name in statistics
--   opportunities  BIGINT  hands with the opportunity
--   successes  BIGINT  hands in which it was taken
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate
--   high  DOUBLE  upper end
-- definition: the sums of chances, added up from the flags of seats: hands of equal flags are counted first.
--   Damaged hands are left out.
select
  *,
  rate_of(successes, opportunities) as rate,
  wilson_low(successes, opportunities) as low,
  wilson_high(successes, opportunities) as high
from (
  select
    n.match_id, n.seat, p.event, p.game, p.player, p.opponent, p.namesake_seat, t.statistic,
    cast(sum(n.hands) as bigint) as opportunities,
    cast(sum(if(n.flags & flag_bit(t.success_flag) <> 0, n.hands, 0)) as bigint) as successes
  from (
    select s.match_id, s.seat, s.flags, count(*) as hands
    from stored.seats as s
    anti join damaged_hands as d on d.match_id = s.match_id and d.hand_index = s.hand_index
    group by all
  ) as n
  join statistics as t on n.flags & flag_bit(t.opportunity_flag) = flag_bit(t.opportunity_flag)
  join players as p on p.match_id = n.match_id and p.seat = n.seat
  group by all
)
