-- name: bounty_hits_by_match
-- suffixes: before_lock
-- grain: match x seat, games with a bounty
-- only_if: games: bounties
-- columns:
--   match_id  UBIGINT  key of the match
--   seat  TINYINT  seat in the match, from 0
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   opponent  VARCHAR  name of the opponent
--   namesake_seat  TINYINT  as in the view players
--   verified  BIGINT  hands that are neither damaged nor unverified
--   hands  BIGINT  those for which the log shows whether the player's rank was hit
--   hits  BIGINT  the player's bounty rank was among its hole cards or on the board dealt so far
--   hit_rate  DOUBLE  hits / hands; null if some verified hands are missing, because the others are not a fair sample
--   hit_rate_low  DOUBLE  lower end of its 95% Wilson interval for the effective n
--   hit_rate_high  DOUBLE  upper end
--   own_hits  BIGINT  among them, hits with the hole cards; null if the rank is unknown
--   board_hits  BIGINT  hits with the rank on the board; null like hits
--   wins  BIGINT  hands won, by fold or by cards
--   hits_when_winning  BIGINT  hits among them
--   rate_when_winning  DOUBLE  hits_when_winning / wins
--   rate_when_winning_low  DOUBLE  lower end of its 95% Wilson interval for the effective n
--   rate_when_winning_high  DOUBLE  upper end
--   chips_brought  DOUBLE  chips won beyond what plain hold'em pays
--   chips_cost  DOUBLE  chips lost beyond that
--   hit_spread  STRUCT(clusters BIGINT, kk DOUBLE, nn DOUBLE, kn DOUBLE)  what effective_n of the hit rate needs
--   win_spread  STRUCT(clusters BIGINT, kk DOUBLE, nn DOUBLE, kn DOUBLE)  sums from which effective_n of the rate when winning is computed
-- definition: bounty_hits, match by match. Hands that are damaged or unverified are left out.
select
  n.match_id, n.seat, p.event, p.game, p.player, p.opponent, p.namesake_seat,
  n.verified, n.hands, n.hits,
  if(n.hands = n.verified, rate_of(n.hits, n.hands), null) as hit_rate,
  if(n.hands = n.verified, rate_low(n.hits, n.hands, n.hit_spread), null) as hit_rate_low,
  if(n.hands = n.verified, rate_high(n.hits, n.hands, n.hit_spread), null) as hit_rate_high,
  n.own_hits, n.board_hits, n.wins, n.hits_when_winning,
  rate_of(n.hits_when_winning, n.wins) as rate_when_winning,
  rate_low(n.hits_when_winning, n.wins, n.win_spread) as rate_when_winning_low,
  rate_high(n.hits_when_winning, n.wins, n.win_spread) as rate_when_winning_high,
  n.chips_brought, n.chips_cost,
  n.hit_spread, n.win_spread
from (
  select
    match_id, seat,
    cast(sum(verified) as bigint) as verified,
    cast(sum(hands) as bigint) as hands,
    cast(sum(hits) as bigint) as hits,
    cast(sum(own_hits) as bigint) as own_hits,
    cast(sum(board_hits) as bigint) as board_hits,
    cast(sum(wins) as bigint) as wins,
    cast(sum(hits_when_winning) as bigint) as hits_when_winning,
    sum(chips_brought) as chips_brought,
    sum(chips_cost) as chips_cost,
    spread_of(hands, hits, cluster) as hit_spread,
    spread_of(wins, hits_when_winning, cluster) as win_spread
  from (
    select
      h.match_id, h.seat, h.cluster,
      count(*) as verified,
      count(h.bounty_hit) as hands,
      count(*) filter (where h.bounty_hit) as hits,
      if(bool_or(h.is_known), count(*) filter (where h.in_hand), null) as own_hits,
      if(bool_or(h.is_known), count(*) filter (where h.on_board), null) as board_hits,
      count(*) filter (where h.won and h.bounty_hit is not null) as wins,
      count(*) filter (where h.won and h.bounty_hit) as hits_when_winning,
      sum(greatest(h.beyond, 0)) as chips_brought,
      sum(greatest(-h.beyond, 0)) as chips_cost
    from (
      select
        own.match_id, own.seat, own.bounty_hit, c.cluster,
        own.bounty_rank is not null as is_known,
        own.bounty_rank in (own.hole[1][1], own.hole[2][1]) as in_hand,
        len(list_filter(c.board, lambda card: card[1] = own.bounty_rank)) > 0 as on_board,
        own.flags & flag_bit('won_hand') <> 0 as won,
        own.delta - case
          when own.flags & flag_bit('won_hand') <> 0 then other.contribution
          when other.flags & flag_bit('won_hand') <> 0 then -own.contribution
          else 0
        end as beyond
      from stored.seats as own
      join stored.seats as other
        on other.match_id = own.match_id and other.hand_index = own.hand_index and other.seat <> own.seat
      join (
        select k.match_id, k.hand_index, k.cluster, b.board
        from counted_hands as k
        join stored.hands as b on b.match_id = k.match_id and b.hand_index = k.hand_index
        join stored.games as g on g.game = k.game and g.bounties
      ) as c on c.match_id = own.match_id and c.hand_index = own.hand_index
      where own.written_off is not null
    ) as h
    group by h.match_id, h.seat, h.cluster
  )
  group by match_id, seat
) as n
join players as p on p.match_id = n.match_id and p.seat = n.seat
