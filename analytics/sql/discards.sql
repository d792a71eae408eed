-- name: discards
-- suffixes: by_opponent, before_lock
-- grain: event x game x player x statistic, games with discards
-- only_if: changes: true
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   statistic  VARCHAR  keeps_pair, keeps_suited, keeps_highest, gives_lowest
--   label  VARCHAR  the same in words
--   place  TINYINT  order of the statistics
--   opportunities  BIGINT  own discards in which it was possible: two cards of a rank, of a suit, or cards not all of a rank
--   successes  BIGINT  those in which it was done
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate
--   high  DOUBLE  upper end
-- definition: which hole cards a player gives up. keeps_pair: two of the cards kept have the same rank, over
--   hands dealt a pair; keeps_suited: two have the same suit, over hands dealt such; keeps_highest: the
--   highest rank is among the cards kept; gives_lowest: the lowest rank is among those given up. Hands are
--   independent here. Discards that the engine made for a bot are left out, and damaged hands.
with given as (
  select
    p.event, p.game, p.player, p.namesake_seat as seat,
    /*by_opponent p.opponent, */
    s.hole, c.cards, list_filter(s.hole, lambda card: not list_contains(c.cards, card)) as kept
  from stored.changes as c
  join counted_hands as h on h.match_id = c.match_id and h.hand_index = c.hand_index
  join stored.seats as s on s.match_id = c.match_id and s.hand_index = c.hand_index and s.seat = c.seat
  join players as p on p.match_id = c.match_id and p.seat = c.seat
  join stored.actions as a
    on a.match_id = c.match_id and a.hand_index = c.hand_index and a.seat = c.seat and a.action = 'discard'
  where c.kind = 'discard' and len(c.cards) > 0 and len(s.hole) > len(c.cards) and a.origin = 'choice'
),
told as (
  select
    * exclude (hole, cards, kept),
    unnest([
      {
        'statistic': 'keeps_pair', 'label': 'keeps a pair', 'place': 1,
        'could': alike(ranks_of(hole)), 'did': alike(ranks_of(kept))
      },
      {
        'statistic': 'keeps_suited', 'label': 'keeps two of a suit', 'place': 2,
        'could': alike(suits_of(hole)), 'did': alike(suits_of(kept))
      },
      {
        'statistic': 'keeps_highest', 'label': 'keeps the highest', 'place': 3,
        'could': list_unique(ranks_of(hole)) > 1,
        'did': list_contains(ranks_of(kept), list_max(ranks_of(hole)))
      },
      {
        'statistic': 'gives_lowest', 'label': 'gives up the lowest', 'place': 4,
        'could': list_unique(ranks_of(hole)) > 1,
        'did': list_contains(ranks_of(cards), list_min(ranks_of(hole)))
      }
    ], recursive := true)
  from given
)
select
  *,
  rate_of(successes, opportunities) as rate,
  wilson_low(successes, opportunities) as low,
  wilson_high(successes, opportunities) as high
from (
  select
    event, game, player, seat,
    /*by_opponent opponent, */
    statistic, label, cast(place as tinyint) as place,
    count(*) as opportunities,
    count(*) filter (where did) as successes
  from told
  where could
  group by all
)
