-- name: blotto_tendencies
-- suffixes: by_opponent, before_lock
-- grain: event x player x board x statistic, Blotto
-- columns:
--   event  VARCHAR  tournament or event of the match
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   board_no  TINYINT  1 to 3: its pot begins with one, two or three big blinds that nobody put in
--   statistic  VARCHAR  its name in statistics
--   opportunities  BIGINT  boards with the opportunity
--   successes  BIGINT  boards on which the opportunity was taken
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate
--   high  DOUBLE  upper end
-- definition: tendencies in Blotto, separately for each board. A round has one board of each number, so rounds are
--   treated as independent. Damaged hands are left out.
select
  *,
  rate_of(successes, opportunities) as rate,
  wilson_low(successes, opportunities) as low,
  wilson_high(successes, opportunities) as high
from (
  select
    p.event, p.player, p.namesake_seat as seat,
    /*by_opponent p.opponent, */
    g.board_no, t.statistic,
    cast(sum(g.hands) as bigint) as opportunities,
    cast(sum(if(g.flags & flag_bit(t.success_flag) <> 0, g.hands, 0)) as bigint) as successes
  from (
    select f.match_id, f.seat, f.board_no, f.flags, count(*) as hands
    from blotto_flags as f
    join counted_hands as h on h.match_id = f.match_id and h.hand_index = f.hand_index
    group by all
  ) as g
  join statistics as t on g.flags & flag_bit(t.opportunity_flag) = flag_bit(t.opportunity_flag)
  join players as p on p.match_id = g.match_id and p.seat = g.seat
  where t.success_flag is not null
  group by all
)
