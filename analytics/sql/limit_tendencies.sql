-- name: limit_tendencies
-- suffixes: by_opponent
-- grain: event x game x player x street x bets faced x answer, ACPC limit games
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   street  TINYINT  the betting round, from 0
--   bets_faced  SMALLINT  bets and raises of the round before, preflop the blinds are one
--   answer  VARCHAR  fold check call raise; cap: the raise after which none is allowed
--   opportunities  BIGINT  own decisions there; of fold and call those that face a bet, of check those that do not, of raise and cap those in which one was allowed
--   successes  BIGINT  decisions with this answer
--   rate  DOUBLE  successes / opportunities
--   low  DOUBLE  lower end of the 95% Wilson interval of rate
--   high  DOUBLE  upper end
-- definition: ACPC limit, where the bet size is fixed: what a player does by round and bets faced. The cap of a
--   round is the least count of bets that nobody who faced it in the game could raise; a round that was never
--   capped shows no cap. Cap % is the rate of cap. Damaged hands are left out.
with made as (
  select
    a.match_id, a.seat, h.game, a.street, a.bet_level, a.to_call > 0 as faces, a.action,
    a.max_raise_to is not null as may_raise
  from actions as a
  join counted_hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
  join stored.matches as m on m.match_id = a.match_id
  where m.raise_sizes is not null and a.origin = 'choice'
),
caps as (
  select game, street, min(bet_level) as cap
  from (select game, street, bet_level from made where faces group by all having not bool_or(may_raise))
  group by all
)
select
  *,
  rate_of(successes, opportunities) as rate,
  wilson_low(successes, opportunities) as low,
  wilson_high(successes, opportunities) as high
from (
  select
    p.event, p.game, p.player, p.namesake_seat as seat,
    /*by_opponent p.opponent, */
    d.street, d.bet_level as bets_faced, t.answer,
    count(*) as opportunities,
    count(*) filter (where t.taken) as successes
  from made as d
  left join caps as c on c.game = d.game and c.street = d.street
  cross join lateral (
    values
      ('fold', d.faces, d.action = 'fold'),
      ('check', not d.faces, d.action = 'check'),
      ('call', d.faces, d.action = 'call'),
      ('raise', d.may_raise, d.action in ('bet', 'raise')),
      ('cap', d.may_raise and d.bet_level = c.cap - 1, d.action in ('bet', 'raise'))
  ) as t (answer, chance, taken)
  join players as p on p.match_id = d.match_id and p.seat = d.seat
  where t.chance
  group by all
)
