-- name: koper_tendencies
-- grain: event x player x statistic, Koper
-- columns:
--   event  VARCHAR  tournament or event of the match
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   statistic  VARCHAR  its name, see below
--   label  VARCHAR  its usual name
--   place  INTEGER  order in which statistics are shown
--   n  BIGINT  games that have a value
--   mean  DOUBLE  their mean
--   low  DOUBLE  lower end of its 95% interval; null of one match
--   high  DOUBLE  upper end
--   matches  BIGINT  matches in which they were played
-- definition: how a player bets in Koper, over all matches of an event; folds, showdowns and wins are rates, in
--   tendencies. Means over games of: win_prob_folded and win_prob_bet, the engine's equity (0 to 1) when the player folded or
--   bet in round 1; bet_1, chips; step_2, bet 2 / bet 1, from 0.5 to 1.5 but for players out of chips; step_3,
--   bet 3 / bet 2 where that is not 0, from 0.75 to 1.25 likewise; cap_use, at a showdown min(pot, seats.win_cap) / pot, the
--   part of the pot that the player could win; redistributed, at a showdown the chips from what prizes left in the pot.
--   The interval is over matches, mean -+ t * se by the ratio estimator (macro mean_half), null of one match;
--   it is cut off at 0, and at 1 for shares. The winning cap is four times the chips put in. Engines let a player win who
--   was eliminated in round 1; that player's cap is four times the buy-in, without the chips that elimination took.
--   Only the player's own decisions count; damaged games are left out.
with played as (
  select
    p.event, p.player, p.namesake_seat as seat, h.match_id, h.folded, h.win_prob_1, h.bet_1, h.hand_score,
    h.bet_2 / h.bet_1 as step_2,
    if(h.bet_2 > 0, h.bet_3 / h.bet_2, null) as step_3,
    if(h.hand_score is not null, least(h.final_pot, s.win_cap) / h.final_pot, null) as cap_use,
    if(h.hand_score is not null, coalesce(s.redistributed, 0), null) as redistributed
  from koper_history as h
  join stored.seats as s
    on s.match_id = h.match_id and s.hand_index = h.hand_index and s.seat = h.player_index
  join players as p on p.match_id = h.match_id and p.seat = h.player_index
  anti join damaged_hands as d on d.match_id = h.match_id and d.hand_index = h.hand_index
)
select
  event, player, seat, statistic, label, cast(place as integer) as place, cast(n as bigint) as n,
  total / n as mean,
  low_end(total / n - half) as low,
  high_end(total / n + half, most) as high,
  matches
from (
  select
    event, player, seat, statistic, label, place, most,
    sum(n) as n,
    sum(total) as total,
    count(*) as matches,
    mean_half(sum(total), sum(n), sum(squares), spread_of(n, total, match_id)) as half
  from (
    select
      g.event, g.player, g.seat, g.match_id, t.statistic, t.label, t.place, t.most,
      count(*) as n,
      sum(t.value) as total,
      sum(t.value ** 2) as squares
    from played as g
    cross join lateral (
      values
        ('win_prob_folded', 'engine equity, folded in round 1', 1, 1, if(g.folded, g.win_prob_1, null)),
        ('win_prob_bet', 'engine equity, bet in round 1', 2, 1, if(g.folded, null, g.win_prob_1)),
        ('bet_1', 'bet of round 1, chips', 3, null, g.bet_1),
        ('step_2', 'bet 2 / bet 1', 4, null, g.step_2),
        ('step_3', 'bet 3 / bet 2', 5, null, g.step_3),
        ('cap_use', 'cap use, share of the pot', 6, 1, g.cap_use),
        ('redistributed', 'redistributed, chips', 7, null, g.redistributed)
    ) as t (statistic, label, place, most, value)
    where t.value is not null
    group by all
  )
  group by all
)
