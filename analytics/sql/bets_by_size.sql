-- name: bets_by_size
-- suffixes: before_lock
-- grain: event x game x player x street x size
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   size  TINYINT  size bin of the own bet or raise (size_name)
--   bets  BIGINT  bets and raises of that size
--   seen  BIGINT  among them, those whose cards are known
--   equity  DOUBLE  mean equity_own of the bets seen, 0 to 1; null if none was seen
--   equity_low  DOUBLE  lower end of its 95% interval, mean_half over clusters; null of one
--   equity_high  DOUBLE  upper end
--   bluffs  BIGINT  bets seen with a hand behind an average one (strengths)
--   bluff_share  DOUBLE  bluffs / seen; null if none was seen
--   low  DOUBLE  lower end of the 95% Wilson interval of bluff_share for effective_n
--   high  DOUBLE  upper end
--   effective_n  DOUBLE  effective number seen: fewer if they cluster
--   optimum  DOUBLE  mean of price / (pot after + price); null before the last street
--   excess  DOUBLE  bluff_share - optimum: above 0 too many bluffs, below 0 too few; null if one of them is
-- definition: strength by own bet size, and the share of bluffs compared with the pot-odds optimum, the share
--   at which the other player is indifferent between a call and a fold, bet / (pot + 2 * bet) for a bet. It
--   is exact only on the last street with one other player left, and only for such bets.
select
  event, game, player, seat, street, size, bets, seen, equity,
  low_end(equity - half) as equity_low,
  high_end(equity + half, 1) as equity_high,
  bluffs,
  rate_of(bluffs, seen) as bluff_share,
  rate_low(bluffs, seen, spread) as low,
  rate_high(bluffs, seen, spread) as high,
  effective_n(bluffs, seen, spread) as effective_n,
  optimum,
  rate_of(bluffs, seen) - optimum as excess
from (
  select
    event, game, player, seat, street, size,
    cast(sum(bets) as bigint) as bets,
    cast(sum(seen) as bigint) as seen,
    sum(equities) / nullif(sum(seen), 0) as equity,
    mean_half(sum(equities), sum(seen), sum(squares), spread_of(seen, coalesce(equities, 0), cluster)) as half,
    cast(sum(bluffs) as bigint) as bluffs,
    spread_of(seen, bluffs, cluster) as spread,
    if(bool_and(is_last_street), sum(optima) / nullif(sum(priced), 0), null) as optimum
  from (
    select
      event, game, player, namesake_seat as seat, street, made_bin as size, match_id, cluster,
      count(*) as bets,
      count(equity_own) as seen,
      sum(equity_own) as equities,
      sum(equity_own * equity_own) as squares,
      count(*) filter (where is_bluff) as bluffs,
      bool_and(is_last_street) as is_last_street,
      count(*) filter (where active_players = 2 and equity_own is not null) as priced,
      sum(price / (pot_after + price)) filter (where active_players = 2 and equity_own is not null) as optima
    from strengths
    where made is not null
    group by all
  )
  group by all
)
