-- name: halves
-- grain: event x game x player x statistic
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   statistic  VARCHAR  its name in statistics
--   matches  BIGINT  matches with an opportunity
--   n1  BIGINT  opportunities in the first halves of matches
--   n2  BIGINT  opportunities in the second halves
--   first  DOUBLE  rate in the first halves
--   second  DOUBLE  rate in the second halves
--   difference  DOUBLE  second - first
--   low  DOUBLE  lower end of its 95% interval; null with one match, or if no match differs from the others
--   high  DOUBLE  upper end
-- definition: whether a player changes within matches. The interval treats each match as one draw: with the
--   matches' residuals u = (k2 - second n2) / sum(n2) - (k1 - first n1) / sum(n1) it is +- t_975(m - 1)
--   sqrt(m / (m - 1) sum(u^2)), the linearised difference of two ratios.
select
  event, game, player, seat, statistic, matches,
  all_n1::bigint as n1,
  all_n2::bigint as n2,
  all_k1 / all_n1 as first,
  all_k2 / all_n2 as second,
  second - first as difference,
  difference - half as low,
  difference + half as high
from (
  select
    * exclude (squares),
    if(matches > 1 and squares > 0, t_975(matches - 1) * sqrt(matches / (matches - 1) * squares), null) as half
  from (
    select
      event, game, player, seat, statistic, all_n1, all_k1, all_n2, all_k2,
      count(*) as matches,
      sum(((k2 - all_k2 / all_n2 * n2) / all_n2 - (k1 - all_k1 / all_n1 * n1) / all_n1) ** 2) as squares
    from (
      select
        *,
        sum(n1) over player as all_n1, sum(k1) over player as all_k1,
        sum(n2) over player as all_n2, sum(k2) over player as all_k2
      from halves_by_match
      window player as (partition by event, game, player, seat, statistic)
    )
    where all_n1 > 0 and all_n2 > 0
    group by all
  )
)
