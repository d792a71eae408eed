-- name: tendencies_by_match
-- twins: by_position, before_lock
-- grain: match x seat x statistic
-- columns:
--   match_id  UBIGINT  key of the match
--   seat  TINYINT  place in the match, from 0
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   player  VARCHAR  the log's own name
--   opponent  VARCHAR  the name across the table
--   namesake_seat  TINYINT  the seat where the match holds the name twice, else null
--   position  VARCHAR  by_position: place in the hand
--   statistic  VARCHAR  its name in statistics
--   opportunities  BIGINT  hands with the opportunity; in Blotto boards
--   successes  BIGINT  hands in which it was taken
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  opportunities, less where they cluster
--   spread  STRUCT(clusters BIGINT, kk DOUBLE, nn DOUBLE, kn DOUBLE)  what effective_n needs; adds up over matches
-- definition: the sums of chances, added up from the flags of seats: hands of equal flags are counted first.
--   Damaged hands are left out. Bounty's are counted block by block, which takes many times as long: over 10 million
--   hands half a minute or more. Who needs no interval there asks seats for its flags, which takes a second.
select
  * exclude (spread),
  rate_of(successes, opportunities) as rate,
  rate_low(successes, opportunities, spread) as low,
  rate_high(successes, opportunities, spread) as high,
  effective_n(successes, opportunities, spread) as effective_n,
  spread
from (
  select
    n.match_id, n.seat, p.event, p.game, p.player, p.opponent, p.namesake_seat,
    /*by_position n.position, */
    n.statistic,
    cast(sum(n.opportunities) as bigint) as opportunities,
    cast(sum(n.successes) as bigint) as successes,
    spread_of(n.opportunities, n.successes, n.cluster) as spread
  from (
    select
      g.match_id, g.seat, g.cluster,
      /*by_position g.position, */
      t.statistic,
      sum(g.hands) as opportunities,
      sum(if(g.flags & flag_bit(t.success_flag) <> 0, g.hands, 0)) as successes
    from (
      select
        c.match_id, c.seat, c.cluster,
        /*by_position c.position, */
        c.flags, count(*) as hands
      from (
        select
          s.match_id, s.hand_index, s.seat, s.position, s.flags,
          cluster_of(f.game, s.hand_index, f.hand_no) as cluster
        from stored.seats as s
        join match_starts as f on f.match_id = s.match_id
        where f.is_holdem and f.game <> 'blotto'
        union all
        select match_id, hand_index, seat, position, flags, hand_index
        from blotto_flags
      ) as c
      anti join damaged_hands as d on d.match_id = c.match_id and d.hand_index = c.hand_index
      /*before_lock
      left join lock_points as l on l.match_id = c.match_id
      where c.hand_index < coalesce(l.hand_index, 2147483647)
      */
      group by all
    ) as g
    join statistics as t
      on g.flags & flag_bit(t.opportunity_flag) = flag_bit(t.opportunity_flag)
    where t.success_flag is not null
    group by all
    union all
    select
      k.match_id, k.seat, 0,
      /*by_position k.position, */
      k.statistic, count(*), sum(k.successes)
    from koper_chances as k
    anti join damaged_hands as d on d.match_id = k.match_id and d.hand_index = k.hand_index
    group by all
  ) as n
  join players as p on p.match_id = n.match_id and p.seat = n.seat
  group by all
)
