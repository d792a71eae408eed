-- name: blotto_allocation
-- suffixes: by_opponent, before_lock
-- grain: event x player x board, Blotto
-- columns:
--   event  VARCHAR  tournament or event of the match
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   board_no  TINYINT  1 to 3
--   opportunities  BIGINT  rounds in which one of the three pairs has more Chen points than both others
--   successes  BIGINT  those in which that pair was sent to this board
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate
--   high  DOUBLE  upper end
--   rounds  BIGINT  rounds in which the player assigned the cards
--   points  DOUBLE  mean Chen points of the cards sent to this board
--   points_low  DOUBLE  lower end of its 95% interval, mean -+ t * s / sqrt(rounds)
--   points_high  DOUBLE  upper end
--   entropy  DOUBLE  bits, of the board that gets the strongest pair: 0 always the same, 1.585 each as often
--   entropy_low  DOUBLE  lower end of its 95% interval
--   entropy_high  DOUBLE  upper end
-- definition: how a player distributes its strength over the boards. entropy = -sum p log2 p over the three
--   boards' rates, plus 1 / (n ln 2) for its bias (Miller and Madow 1955). Its interval is H -+ 1.96
--   sqrt((sum q log2^2 q - H^2) / n + 1 / (n ln 2)^2), H and q of the counts with a half added to each
--   (Krichevsky and Trofimov 1981): the variance to the second order (Hutcheson 1970), as that to the first
--   is 0 where each board is chosen as often. Whatever the rates, from 10 rounds on it holds the truth in at
--   least 91% of all outcomes. All three are limited to 0 and log2 3 = 1.585, which the correction may
--   exceed. Rounds are independent; only the player's own assignments count; damaged hands are left out.
with sent as (
  select
    h.match_id, h.hand_index, s.seat,
    [chen_points(b.one[s.seat + 1]), chen_points(b.two[s.seat + 1]), chen_points(b.three[s.seat + 1])] as points
  from counted_hands as h
  join (
    select
      match_id, hand_index,
      any_value(hole) filter (where board_no = 1) as one,
      any_value(hole) filter (where board_no = 2) as two,
      any_value(hole) filter (where board_no = 3) as three
    from stored.boards
    group by all
  ) as b on b.match_id = h.match_id and b.hand_index = h.hand_index
  join (
    select match_id, hand_index, seat
    from stored.actions
    where action = 'assign' and origin = 'choice' and board_no = 1
  ) as s on s.match_id = h.match_id and s.hand_index = h.hand_index
  where len(b.one[s.seat + 1]) = 2 and len(b.two[s.seat + 1]) = 2 and len(b.three[s.seat + 1]) = 2
),
counted as (
  select
    p.event, p.player, p.namesake_seat as seat,
    /*by_opponent p.opponent, */
    board_no,
    count(*) as rounds,
    avg(s.points[board_no]) as points,
    stddev_samp(s.points[board_no]) as deviation,
    count(*) filter (where len(list_filter(s.points, lambda x: x = list_max(s.points))) = 1) as opportunities,
    count(*) filter (
      where len(list_filter(s.points, lambda x: x = list_max(s.points))) = 1 and s.points[board_no] = list_max(s.points)
    ) as successes
  from sent as s
  join players as p on p.match_id = s.match_id and p.seat = s.seat
  cross join (values (cast(1 as tinyint)), (cast(2 as tinyint)), (cast(3 as tinyint))) as n (board_no)
  group by all
),
spread_out as (
  select
    event, player, seat,
    /*by_opponent opponent, */
    sum(if(successes > 0, -successes / n * log2(successes / n), 0)) + 1 / (n * ln(2)) as estimate,
    sum(-q * log2(q)) as h,
    z_975() * sqrt(greatest(sum(q * log2(q) ** 2) - h ** 2, 0) / n + 1 / (n * ln(2)) ** 2) as half
  from (
    select *, opportunities as n, (successes + 0.5) / (opportunities + 1.5) as q
    from counted
    where opportunities > 0
  )
  group by event, player, seat, /*by_opponent opponent, */ n
)
select
  c.event, c.player, c.seat,
  /*by_opponent c.opponent, */
  c.board_no, c.opportunities, c.successes,
  rate_of(c.successes, c.opportunities) as rate,
  wilson_low(c.successes, c.opportunities) as low,
  wilson_high(c.successes, c.opportunities) as high,
  c.rounds, c.points,
  c.points - t_975(c.rounds - 1) * c.deviation / sqrt(c.rounds) as points_low,
  c.points + t_975(c.rounds - 1) * c.deviation / sqrt(c.rounds) as points_high,
  least(e.estimate, log2(3)) as entropy,
  least(greatest(e.h - e.half, 0), log2(3)) as entropy_low,
  least(e.h + e.half, log2(3)) as entropy_high
from counted as c
left join spread_out as e
  on e.event = c.event and e.player = c.player and e.seat is not distinct from c.seat
  /*by_opponent and e.opponent = c.opponent */
