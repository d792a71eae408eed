-- name: bounty_shift
-- suffixes: by_opponent, before_lock
-- grain: event x game x player x street x answer, games with a bounty
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   opponent  VARCHAR  by_opponent: name of the opponent
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river
--   answer  VARCHAR  bet: bets or raises with nothing to call, before the flop the big blind's raises; fold, call, raise: else
--   live_opportunities  BIGINT  own decisions of the kind with the own bounty rank among the own cards or the board so far
--   live_successes  BIGINT  decisions with this answer
--   live_rate  DOUBLE  live_successes / live_opportunities; null without an opportunity
--   live_low  DOUBLE  lower end of its 95% Wilson interval for the effective n
--   live_high  DOUBLE  upper end
--   opportunities  BIGINT  own decisions of the kind without it
--   successes  BIGINT  decisions with this answer
--   rate  DOUBLE  successes / opportunities; null without an opportunity
--   low  DOUBLE  lower end of its 95% Wilson interval for the effective n
--   high  DOUBLE  upper end
--   shift  DOUBLE  live_rate - rate; null if either is null
--   shift_low  DOUBLE  lower end of its 95% interval, from both Wilson intervals (Newcombe, Stat. Med. 17 (1998) 873-890)
--   shift_high  DOUBLE  upper end
-- definition: Bounty: what a player does when a win would pay its bounty, and when it would not yet. The
--   cards differ too: the rank among the player's own cards pairs a board that shows it. Clusters are the
--   blocks of 25 rounds with the same rank. Damaged hands are left out.
select
  *,
  live_rate - rate as shift,
  live_rate - rate - sqrt((live_rate - live_low) ** 2 + (high - rate) ** 2) as shift_low,
  live_rate - rate + sqrt((live_high - live_rate) ** 2 + (rate - low) ** 2) as shift_high
from (
  select
    event, game, player, seat,
    /*by_opponent opponent, */
    street, answer, live_opportunities, live_successes,
    rate_of(live_successes, live_opportunities) as live_rate,
    rate_low(live_successes, live_opportunities, live_spread) as live_low,
    rate_high(live_successes, live_opportunities, live_spread) as live_high,
    opportunities, successes,
    rate_of(successes, opportunities) as rate,
    rate_low(successes, opportunities, spread) as low,
    rate_high(successes, opportunities, spread) as high
  from (
    select
      p.event, p.game, p.player, p.namesake_seat as seat,
      /*by_opponent p.opponent, */
      c.street, t.answer,
      cast(sum(if(c.live, t.n, 0)) as bigint) as live_opportunities,
      cast(sum(if(c.live, t.k, 0)) as bigint) as live_successes,
      spread_of(if(c.live, t.n, 0), if(c.live, t.k, 0), if(c.live and t.n > 0, c.cluster, null)) as live_spread,
      cast(sum(if(c.live, 0, t.n)) as bigint) as opportunities,
      cast(sum(if(c.live, 0, t.k)) as bigint) as successes,
      spread_of(if(c.live, 0, t.n), if(c.live, 0, t.k), if(c.live or t.n = 0, null, c.cluster)) as spread
    from (
      select
        a.match_id, a.seat, a.street, h.cluster,
        s.bounty_rank in (s.hole[1][1], s.hole[2][1])
        or len(list_filter(b.board[1:if(a.street = 0, 0, a.street + 2)], lambda card: card[1] = s.bounty_rank)) > 0 as live,
        count(*) filter (where a.to_call = 0) as unbet,
        count(*) filter (where a.to_call = 0 and a.action in ('bet', 'raise')) as bets,
        count(*) filter (where a.to_call > 0) as faced,
        count(*) filter (where a.to_call > 0 and a.action = 'fold') as folds,
        count(*) filter (where a.to_call > 0 and a.action = 'call') as calls,
        count(*) filter (where a.to_call > 0 and a.action = 'raise') as raises
      from stored.actions as a
      join counted_hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
      join stored.hands as b on b.match_id = a.match_id and b.hand_index = a.hand_index
      join stored.seats as s on s.match_id = a.match_id and s.hand_index = a.hand_index and s.seat = a.seat
      join stored.games as g on g.game = h.game and g.bounties
      where a.origin = 'choice' and s.bounty_rank is not null
      group by all
    ) as c
    cross join lateral (
      values ('bet', c.unbet, c.bets), ('fold', c.faced, c.folds), ('call', c.faced, c.calls), ('raise', c.faced, c.raises)
    ) as t (answer, n, k)
    join players as p on p.match_id = c.match_id and p.seat = c.seat
    group by all
  )
  where live_opportunities + opportunities > 0
)
