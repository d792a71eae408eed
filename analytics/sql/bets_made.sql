-- name: bets_made
-- twins: by_opponent, by_match, before_lock
-- grain: event x game x player x street x position x action x size bin
-- columns:
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   player  VARCHAR  the log's own name
--   seat  TINYINT  namesake_seat of the player (view players), else null
--   match_id  UBIGINT  by_match: key of the match
--   match_seat  TINYINT  by_match: place in the match, from 0
--   opponent  VARCHAR  by_opponent|by_match: the name across the table
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   position  VARCHAR  place in the hand
--   action  VARCHAR  bet or raise
--   size_bin  TINYINT  1 to 6, see size_name: of a bet its chips over the pot, of a raise those beyond the call over the pot after it
--   opportunities  BIGINT  bets, or raises, of any size made on the street in the position
--   successes  BIGINT  those of this size
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate
--   high  DOUBLE  upper end
--   mean_size  DOUBLE  mean of the sizes in the bin; null of none
--   all_in  BIGINT  those of them that took the player's last chips
--   mean_to_bb  DOUBLE  preflop: mean of the raise-to in big blinds; null on later streets
-- definition: the sizes a player chooses; twins have a row for each that he chose in any match. Bets and raises are taken
--   as independent. Koper apart; damaged hands are left out. All actions are read: over 10 million hands seconds to a minute.
select
  * exclude (successes, sizes, totals, all_in),
  successes,
  rate_of(successes, opportunities) as rate,
  wilson_low(successes, opportunities) as low,
  wilson_high(successes, opportunities) as high,
  sizes / nullif(successes, 0) as mean_size,
  all_in,
  totals / nullif(successes, 0) as mean_to_bb
from (
  with made as (
    select
      p.event, p.game, p.player, p.namesake_seat as seat,
      /*by_match c.match_id, c.seat as match_seat, */
      /*by_opponent|by_match p.opponent, */
      c.street, q.position, c.action, c.size_bin,
      cast(sum(c.made) as bigint) as successes,
      sum(c.sizes) as sizes,
      sum(if(c.street = 0, c.totals, null)) as totals,
      cast(sum(c.all_in) as bigint) as all_in
    from (
      select
        a.match_id, a.seat, a.street, a.action,
        (a.seat - h.dealer_seat + h.n_players) % h.n_players as place,
        size_bin((a.chips_added - a.to_call) / (a.pot_before + a.to_call)) as size_bin,
        count(*) as made,
        sum((a.chips_added - a.to_call) / (a.pot_before + a.to_call)) as sizes,
        sum(a.amount_to / a.big_blind) as totals,
        count(*) filter (where a.chips_added = a.stack_before) as all_in
      from actions as a
      join counted_hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
      where a.origin = 'choice' and answers_bets(h.game) and a.action in ('bet', 'raise')
      group by all
    ) as c
    join players as p on p.match_id = c.match_id and p.seat = c.seat
    join positions as q on q.match_id = c.match_id and q.place = c.place
    group by all
  )
  select
    *,
    cast(
      sum(successes) over (
        partition by event, game, player, seat, street, position, action
        /*by_opponent , opponent */
        /*by_match , match_id, match_seat */
      ) as bigint
    ) as opportunities
  from (
    select * from made
    union all
    -- A size that the player chose elsewhere: its opportunities are there where it was not chosen, too.
    select
      m.* exclude (chosen), w.size_bin, 0 as successes, 0 as sizes, if(m.street = 0, 0, null) as totals, 0 as all_in
    from (select * exclude (size_bin, successes, sizes, totals, all_in), list(size_bin) as chosen from made group by all) as m
    join (select distinct event, game, player, seat, street, position, action, size_bin from made) as w
      on w.event = m.event and w.game = m.game and w.player = m.player and w.seat is not distinct from m.seat
      and w.street = m.street and w.position = m.position and w.action = m.action
    where not list_contains(m.chosen, w.size_bin)
  )
)
