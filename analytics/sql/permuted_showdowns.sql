-- name: permuted_showdowns
-- suffixes: by_opponent, before_lock
-- grain: event x game x player x outcome, games with secret ranks
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   outcome  VARCHAR  as printed: the result is that of the printed ranks; helped, hurt: it is better or worse for the player
--   opportunities  BIGINT  showdowns of the player
--   successes  BIGINT  those with this outcome
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate
--   high  DOUBLE  upper end
--   bb_per_100  DOUBLE  bb won per 100 of these showdowns
--   bb_per_100_low  DOUBLE  lower end of its 95% interval
--   bb_per_100_high  DOUBLE  upper end
--   moved  DOUBLE  chips that the player won more than the printed ranks would have paid
-- definition: the effect of the secret order of ranks at showdowns of two players: the logged result compared
--   with that of the best five of seven cards by their printed ranks. A player who has learnt the order bets
--   hands that it helps, so the effect is not only luck. Hands are independent here. Damaged hands, and hands
--   with unknown cards, are left out.
with compared as (
  select
    s.match_id, s.hand_index, s.seat, s.delta,
    least(s.contribution, o.contribution) as risked,
    sign(s.delta) as result,
    hand_strength(list_concat(s.hole, h.board)) as own,
    hand_strength(list_concat(o.hole, h.board)) as other
  from stored.seats as s
  join stored.matches as m on m.match_id = s.match_id and m.permutation is not null and len(m.players) = 2
  join counted_hands as c on c.match_id = s.match_id and c.hand_index = s.hand_index
  join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
  join stored.seats as o on o.match_id = s.match_id and o.hand_index = s.hand_index and o.seat <> s.seat
  where h.ended_by = 'showdown' and len(h.board) = 5 and len(s.hole) = 2 and len(o.hole) = 2 and s.delta is not null
),
judged as (
  select *, if(own > other, 1, if(own < other, -1, 0)) as printed from compared
),
counted as (
  select
    p.event, p.game, p.player, p.namesake_seat as seat,
    /*by_opponent p.opponent, */
    case when result = printed then 'as printed' when result > printed then 'helped' else 'hurt' end as outcome,
    count(*) as successes,
    100 * avg(j.delta / p.unit) as bb_per_100,
    100 * stddev_samp(j.delta / p.unit) as deviation,
    settled(sum(j.delta - printed * risked)) as moved
  from judged as j
  join players as p on p.match_id = j.match_id and p.seat = j.seat
  group by all
)
select
  event, game, player, seat,
  /*by_opponent opponent, */
  outcome,
  cast(sum(successes) over (partition by event, game, player, seat/*by_opponent , opponent*/) as bigint) as opportunities,
  successes,
  rate_of(successes, opportunities) as rate,
  wilson_low(successes, opportunities) as low,
  wilson_high(successes, opportunities) as high,
  bb_per_100,
  bb_per_100 - t_975(successes - 1) * deviation / sqrt(successes) as bb_per_100_low,
  bb_per_100 + t_975(successes - 1) * deviation / sqrt(successes) as bb_per_100_high,
  moved
from counted
