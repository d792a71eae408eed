-- name: run_tendencies
-- suffixes: by_opponent, before_lock
-- grain: event x game x player x run depth x last card x chance of black x answer, River of Blood
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   depth  TINYINT  cards dealt after the turn: 1 at the river, more in the run
--   last_card  VARCHAR  red or black; the hand ends after a black card; null if the log has no board
--   black_bin  TINYINT  the chance in tenths, 4: from 0.4 up to 0.5; null after a black card and if hole cards or board were not seen
--   answer  VARCHAR  bet: an opening bet; fold, call, raise: facing a bet
--   opportunities  BIGINT  own decisions of the kind
--   successes  BIGINT  decisions with this answer
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate
--   high  DOUBLE  upper end
--   mean_chance  DOUBLE  mean over those with known hole cards and board of the chance that the next card is black, if one is dealt
-- definition: River of Blood goes on after a red river until a black card. What a player does on the river and in
--   the run, by how deep the run is and by the chance that the next card is black: (26 - black cards seen) / (52 -
--   cards seen), the player's own and the board's. Decisions are treated as independent. Damaged hands are left
--   out.
select
  * exclude (known, chances),
  rate_of(successes, opportunities) as rate,
  wilson_low(successes, opportunities) as low,
  wilson_high(successes, opportunities) as high,
  chances / known as mean_chance
from (
  select
    p.event, p.game, p.player, p.namesake_seat as seat,
    /*by_opponent p.opponent, */
    c.depth, c.last_card, c.black_bin, t.answer,
    cast(sum(t.n) as bigint) as opportunities,
    cast(sum(t.k) as bigint) as successes,
    sum(t.known) as known,
    sum(t.chances) as chances
  from (
    select
      match_id, seat, depth, last_card,
      if(last_card = 'black', null, cast(10 * black // unseen as tinyint)) as black_bin,
      count(black) filter (where to_call = 0) as unbet_known,
      count(black) filter (where to_call > 0) as faced_known,
      sum(black / unseen) filter (where to_call = 0) as unbet_chances,
      sum(black / unseen) filter (where to_call > 0) as faced_chances,
      count(*) filter (where to_call = 0) as unbet,
      count(*) filter (where to_call = 0 and action in ('bet', 'raise')) as bets,
      count(*) filter (where to_call > 0) as faced,
      count(*) filter (where to_call > 0 and action = 'fold') as folds,
      count(*) filter (where to_call > 0 and action = 'call') as calls,
      count(*) filter (where to_call > 0 and action = 'raise') as raises
    from (
      select
        a.match_id, a.seat, a.street - 2 as depth, a.action, a.to_call,
        b.board[1:a.street + 2] as dealt,
        if(len(dealt) < a.street + 2, null, if(blacks_of(dealt[-1:]) = 1, 'black', 'red')) as last_card,
        if(last_card is null, null, 26 - blacks_of(s.hole) - blacks_of(dealt)) as black,
        52 - len(s.hole) - len(dealt) as unseen
      from stored.actions as a
      join counted_hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
      join stored.hands as b on b.match_id = a.match_id and b.hand_index = a.hand_index
      join stored.seats as s on s.match_id = a.match_id and s.hand_index = a.hand_index and s.seat = a.seat
      join stored.games as g on g.game = h.game and g.runs
      where a.origin = 'choice' and a.street >= 3
    )
    group by all
  ) as c
  cross join lateral (
    values
      ('bet', c.unbet, c.bets, c.unbet_known, c.unbet_chances),
      ('fold', c.faced, c.folds, c.faced_known, c.faced_chances),
      ('call', c.faced, c.calls, c.faced_known, c.faced_chances),
      ('raise', c.faced, c.raises, c.faced_known, c.faced_chances)
  ) as t (answer, n, k, known, chances)
  join players as p on p.match_id = c.match_id and p.seat = c.seat
  where t.n > 0
  group by all
)
