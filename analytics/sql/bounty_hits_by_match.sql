-- name: bounty_hits_by_match
-- grain: match x seat, games with a bounty
-- columns:
--   match_id  UBIGINT  key of the match
--   seat  TINYINT  place in the match, from 0
--   event  VARCHAR  what tells players of one name apart
--   game  VARCHAR  the rules
--   player  VARCHAR  the log's own name
--   opponent  VARCHAR  the name across the table
--   namesake_seat  TINYINT  the seat where the match holds the name twice, else null
--   hands  BIGINT  hands whose bounty ranks are known
--   hits  BIGINT  the player's rank was among the own cards or the board dealt so far
--   hit_rate  DOUBLE  hits / hands
--   hit_rate_low  DOUBLE  lower end of its 95% Wilson interval
--   hit_rate_high  DOUBLE  upper end
--   wins  BIGINT  hands won, by fold or by cards
--   hits_when_winning  BIGINT  hits among them
--   rate_when_winning  DOUBLE  hits_when_winning / wins
--   rate_when_winning_low  DOUBLE  lower end of its 95% Wilson interval
--   rate_when_winning_high  DOUBLE  upper end
--   chips_brought  DOUBLE  chips won beyond what plain hold'em pays
--   chips_cost  DOUBLE  chips lost beyond it
-- definition: bounty_hits, match by match. Hands that are damaged or unverified are left out.
select
  n.match_id, n.seat, p.event, p.game, p.player, p.opponent, p.namesake_seat, hands,
  hits,
  rate_of(hits, hands) as hit_rate,
  wilson_low(hits, hands) as hit_rate_low,
  wilson_high(hits, hands) as hit_rate_high,
  wins,
  hits_when_winning,
  rate_of(hits_when_winning, wins) as rate_when_winning,
  wilson_low(hits_when_winning, wins) as rate_when_winning_low,
  wilson_high(hits_when_winning, wins) as rate_when_winning_high,
  chips_brought,
  chips_cost
from (
  select
    h.match_id, h.seat,
    count(*) as hands,
    count(*) filter (where h.bounty_hit) as hits,
    count(*) filter (where h.won) as wins,
    count(*) filter (where h.won and h.bounty_hit) as hits_when_winning,
    sum(greatest(h.beyond, 0)) as chips_brought,
    sum(greatest(-h.beyond, 0)) as chips_cost
  from (
    select
      own.match_id, own.seat, own.bounty_hit,
      own.flags & flag_bit('won_hand') <> 0 as won,
      own.delta - case
        when own.flags & flag_bit('won_hand') <> 0 then other.contribution
        when other.flags & flag_bit('won_hand') <> 0 then -own.contribution
        else 0
      end as beyond
    from stored.seats as own
    join stored.seats as other
      on other.match_id = own.match_id and other.hand_index = own.hand_index and other.seat <> own.seat
    anti join damaged_hands as d on d.match_id = own.match_id and d.hand_index = own.hand_index
    where own.bounty_hit is not null and own.written_off is not null
  ) as h
  group by h.match_id, h.seat
) as n
join players as p on p.match_id = n.match_id and p.seat = n.seat
