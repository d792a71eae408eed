-- name: crosstable
-- grain: event x game x player x opponent
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  a player of the same matches
--   opponent_seat  TINYINT  namesake_seat of the opponent
--   matches  BIGINT  matches with both
--   hands  BIGINT  hands of these whose award is in the log
--   units  BIGINT  independent units among them, on which the interval is based
--   chips  DOUBLE  chips that the player won in them
--   mbb_per_hand  DOUBLE  thousandths of a bb per hand, 1000 * sum(delta / unit) / hands
--   low  DOUBLE  lower end of its 95% interval; null with only one unit
--   high  DOUBLE  upper end
--   even  DOUBLE  mbb a hand of an even result: half of what the two won together if they were alone at the table; mostly 0
--   evidence  VARCHAR  strong: the interval leaves out `even`; light: it does not; grey: there is none
-- definition: what the player won in matches with the opponent; with more than two at the table the chips may
--   come from others. A unit is a part of a match (view unit_results) together with the parts dealt the same
--   cards in the lineup's other seatings: a pair of hands in a duplicate match. The interval is mean +- t *
--   se with se^2 = U / (U - 1) * sum over the U units of (delta - hands * mean)^2 / hands^2 and U - 1 degrees
--   of freedom; for complete duplicate pairs this is the variance of d = (x + x') / 2 over pairs. even is not
--   0 where a game pays chips that nobody put in, as Blotto does, or less than was put in.
with cells as (
  select
    event, game, player, seat, opponent, opponent_seat,
    cast(sum(hands) as bigint) as hands,
    sum(chips) as chips,
    sum(won) as won,
    sum(won) / sum(hands) as mean,
    len(list_distinct(flatten(list(ids)))) as matches,
    count(*) as units,
    sum(won * won) as squares,
    sum(won * hands) as products,
    sum(hands * hands) as hands_squares,
    bool_and(is_duel) as is_duel
  from (
    select
      e.event, e.game, e.player, e.namesake_seat as seat, o.player as opponent, o.namesake_seat as opponent_seat,
      sum(r.hands) as hands,
      chips_of(r.delta) as chips,
      sum(r.delta / e.unit) as won,
      list(distinct r.match_id) as ids,
      bool_and(len(m.players) = 2) as is_duel
    from unit_results as r
    join entrants as e on e.match_id = r.match_id and e.seat = r.seat
    join entrants as o on o.match_id = r.match_id and o.seat <> r.seat
    join stored.matches as m on m.match_id = r.match_id
    group by e.event, e.game, e.player, e.namesake_seat, o.player, o.namesake_seat, e.pair_unit, r.part
  )
  group by event, game, player, seat, opponent, opponent_seat
)
select
  event, game, player, seat, opponent, opponent_seat, matches, hands, units, chips,
  1000 * mean as mbb_per_hand,
  1000 * (mean - t_975(units - 1) * se) as low,
  1000 * (mean + t_975(units - 1) * se) as high,
  1000 * even as even,
  case
    when se is null then 'grey'
    when abs(mean - even) > t_975(units - 1) * se then 'strong'
    else 'light'
  end as evidence
from (
  select
    c.*,
    ratio_se(c.mean, c.hands, c.units, c.squares, c.products, c.hands_squares) as se,
    -- What differs by rounding differs by nothing.
    if(c.is_duel and abs(c.won + o.won) > 1e-9 * c.hands, (c.won + o.won) / (2 * c.hands), 0) as even
  from cells as c
  join cells as o
    on o.event = c.event and o.game = c.game and o.player = c.opponent and o.opponent = c.player
    and o.seat is not distinct from c.opponent_seat and o.opponent_seat is not distinct from c.seat
)
