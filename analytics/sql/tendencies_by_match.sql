-- name: tendencies_by_match
-- suffixes: by_position, before_lock
-- grain: match x seat x statistic
-- table: in a small store
-- columns:
--   match_id  UBIGINT  key of the match
--   seat  TINYINT  seat in the match, from 0
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   opponent  VARCHAR  name of the opponent
--   namesake_seat  TINYINT  as in the view players
--   position  VARCHAR  by_position: place in the hand
--   statistic  VARCHAR  its name in statistics
--   opportunities  BIGINT  hands with the opportunity; in Blotto boards
--   successes  BIGINT  hands in which the opportunity was taken
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of opportunities: fewer if they cluster
--   spread  STRUCT(clusters BIGINT, kk DOUBLE, nn DOUBLE, kn DOUBLE)  sums from which effective_n is computed; they add up over matches
-- definition: the sums of chances, added up from the flags of seats: the flags of a block of hands are added first,
--   all at once, a block being a cluster of Bounty or Blotto, elsewhere a number of hands. Damaged hands are left out.
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
    n.statistic, n.opportunities, n.successes, n.spread
  from (
    select match_id, seat, /*by_position position, */ unnest(counts_of(tally, if(block < 0, null, block)), max_depth := 2)
    from (
      select c.match_id, c.seat, c.block, /*by_position c.position, */ tally_of(c.flags) as tally
      from (
        select
          s.match_id, s.hand_index, s.seat, s.position, s.flags,
          coalesce(cluster_of(f.cluster, f.cluster_hands, s.hand_index, coalesce(r.hand_no, f.hand_no + s.hand_index)), tally_block(s.hand_index)) as block
        from stored.seats as s
        join match_starts as f on f.match_id = s.match_id
        left join renumbered as r on r.match_id = s.match_id and r.hand_index = s.hand_index
        where f.is_holdem and f.boards = 1 /*before_lock and s.hand_index < f.counted */
        union all
        select b.match_id, b.hand_index, b.seat, b.position, b.flags, b.hand_index
        from blotto_flags as b
        /*before_lock join match_starts as f on f.match_id = b.match_id and f.counted > b.hand_index */
      ) as c
      anti join damaged_hands as d on d.match_id = c.match_id and d.hand_index = c.hand_index
      group by all
    )
    group by match_id, seat /*by_position , position */
    union all
    select
      match_id, seat, /*by_position position, */ statistic,
      cast(sum(opportunities) as bigint), cast(sum(successes) as bigint), spread_of(opportunities, successes, cluster)
    from (
      select
        k.match_id, k.seat, /*by_position k.position, */ k.statistic,
        cluster_of(f.cluster, f.cluster_hands, k.hand_index, coalesce(r.hand_no, f.hand_no + k.hand_index)) as cluster,
        count(*) as opportunities,
        sum(k.successes) as successes
      from (/*counted*/) as k
      join match_starts as f on f.match_id = k.match_id /*before_lock and f.counted > k.hand_index */
      left join renumbered as r on r.match_id = k.match_id and r.hand_index = k.hand_index
      anti join damaged_hands as d on d.match_id = k.match_id and d.hand_index = k.hand_index
      group by all
    )
    group by all
  ) as n
  join players as p on p.match_id = n.match_id and p.seat = n.seat
  where n.opportunities > 0
)
