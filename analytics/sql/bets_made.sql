-- name: bets_made
-- suffixes: by_opponent, by_match, before_lock
-- grain: event x game x player x street x position x action x size bin
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   match_id  UBIGINT  by_match: key of the match
--   match_seat  TINYINT  by_match: seat in the match, from 0
--   opponent  VARCHAR  by_opponent|by_match: name of the opponent
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   position  VARCHAR  place in the hand
--   action  VARCHAR  bet or raise
--   size_bin  TINYINT  1 to 6, see size_name: of a bet its chips over the pot, of a raise those beyond the call over the pot after it
--   opportunities  BIGINT  bets, or raises, of any size made on the street in the position
--   successes  BIGINT  those of this size
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number of opportunities: fewer if they cluster
--   mean_size  DOUBLE  mean of the sizes in the bin; null of none
--   all_in  BIGINT  those of them that took the player's last chips
--   mean_to_bb  DOUBLE  preflop: mean of the raise-to in big blinds; null on later streets
-- definition: the sizes that a player chooses; views with a suffix have a row for each size that the player chose in any
--   match. Except in clusters, several bets of one hand are treated as independent. Koper and damaged hands
--   are left out. The view reads all actions: over 10 million hands it takes seconds to a minute.
select
  * exclude (opportunities, successes, sizes, totals, all_in, spread),
  opportunities,
  successes,
  rate_of(successes, opportunities) as rate,
  rate_low(successes, opportunities, spread) as low,
  rate_high(successes, opportunities, spread) as high,
  effective_n(successes, opportunities, spread) as effective_n,
  sizes / nullif(successes, 0) as mean_size,
  all_in,
  totals / nullif(successes, 0) as mean_to_bb
from (
  with chosen as (
    select
      p.event, p.game, p.player, p.namesake_seat as seat,
      /*by_match c.match_id, c.seat as match_seat, */
      /*by_opponent|by_match p.opponent, */
      c.street, q.position, c.action, c.size_bin, c.match_id as drawn_in, c.cluster, c.made, c.sizes, c.totals, c.all_in
    from (
      select
        a.match_id, a.seat, a.street, a.action, h.cluster,
        position_of(e.place, a.seat, h.dealer_seat, h.n_players) as place,
        size_bin((a.chips_added - a.to_call) / (a.pot_before + a.to_call)) as size_bin,
        count(*) as made,
        sum((a.chips_added - a.to_call) / (a.pot_before + a.to_call)) as sizes,
        sum(a.amount_to / a.big_blind) as totals,
        count(*) filter (where a.chips_added = a.stack_before) as all_in
      from actions as a
      join counted_hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
      left join short_tables as e on e.match_id = a.match_id and e.hand_index = a.hand_index and e.seat = a.seat
      where a.origin = 'choice' and not h.simultaneous and a.action in ('bet', 'raise')
      group by all
    ) as c
    join players as p on p.match_id = c.match_id and p.seat = c.seat
    join positions as q on q.match_id = c.match_id and q.place = c.place
  ), made as (
    -- n: bets of any size in the cluster, of which these are k. Summed over its sizes k / n is 1, and k n is n n.
    select
      * exclude (drawn_in, cluster, made, sizes, totals, all_in, n),
      cast(sum(made) as bigint) as successes,
      sum(sizes) as sizes,
      sum(if(street = 0, totals, null)) as totals,
      cast(sum(all_in) as bigint) as all_in,
      coalesce(sum(made / n) filter (where cluster is not null), 0) as parts,
      coalesce(sum(made * made) filter (where cluster is not null), 0)::double as kk,
      coalesce(sum(made * n) filter (where cluster is not null), 0)::double as kn
    from (
      select
        *,
        sum(made) over (
          partition by event, game, player, seat, street, position, action, drawn_in, cluster
          /*by_opponent , opponent */
        ) as n
      from chosen
    )
    group by all
  )
  select
    * exclude (parts, kk, kn),
    cast(sum(successes) over alike as bigint) as opportunities,
    {'clusters': round(sum(parts) over alike)::bigint, 'kk': kk, 'nn': sum(kn) over alike, 'kn': kn} as spread
  from (
    select * from made
    union all
    -- A size that the player chose elsewhere: its opportunities are there where it was not chosen, too.
    select
      m.* exclude (chosen), w.size_bin, 0 as successes, 0 as sizes, if(m.street = 0, 0, null) as totals, 0 as all_in,
      0 as parts, 0 as kk, 0 as kn
    from (
      select * exclude (size_bin, successes, sizes, totals, all_in, parts, kk, kn), list(size_bin) as chosen
      from made
      group by all
    ) as m
    join (select distinct event, game, player, seat, street, position, action, size_bin from made) as w
      on w.event = m.event and w.game = m.game and w.player = m.player and w.seat is not distinct from m.seat
      and w.street = m.street and w.position = m.position and w.action = m.action
    where not list_contains(m.chosen, w.size_bin)
  )
  window alike as (
    partition by event, game, player, seat, street, position, action
    /*by_opponent , opponent */
    /*by_match , match_id, match_seat */
  )
)
