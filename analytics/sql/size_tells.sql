-- name: size_tells
-- suffixes: before_lock
-- grain: event x game x player x street
-- columns:
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   player  VARCHAR  name of the player in the log
--   seat  TINYINT  namesake_seat of the player (view players): null unless a match has the name twice
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   bets  BIGINT  bets and raises whose cards are known: values + bluffs
--   bets_for_value  BIGINT  those with a hand at least as good as an average one (strengths)
--   bluffs  BIGINT  the others
--   value_size  DOUBLE  mean size of the bets for value, in pots
--   bluff_size  DOUBLE  mean size of the bluffs, in pots; null without one
--   auc  DOUBLE  P(a bet for value is larger than a bluff) + P(as large) / 2; 0.5: size is no tell; null without a bluff or without a bet for value
--   low  DOUBLE  lower end of its 95% interval; null if auc is
--   high  DOUBLE  upper end
-- definition: whether the size of a player's bets separates value from bluffs: the area under the ROC curve, the
--   Mann-Whitney statistic over sizes in pots. Its variance v is that of DeLong, DeLong and Clarke-Pearson
--   (Biometrics 44 (1988) 837-845). The interval is Wilson's for n = auc (1 - auc) / v. Where v is 0 or one kind
--   has fewer than two bets, n is the smaller of both counts, so that a few perfectly sorted bets do not seem
--   certain. Where hands cluster, v is at least the same over clusters, G / (G - 1) * the sum of squares of what
--   each adds to auc (Obuchowski, Biometrics 53 (1997) 567-578), and n as in effective_n. Otherwise bets count as
--   independent.
with ranked as (
  select
    event, game, player, namesake_seat, street, match_id, cluster, is_bluff, made,
    rank() over whole + (count(*) over ties - 1) / 2 as place,
    rank() over kind + (count(*) over kind_ties - 1) / 2 as place_in_kind
  from strengths
  where made is not null and is_bluff is not null
  window
    whole as (partition by event, game, player, namesake_seat, street order by made),
    ties as (partition by event, game, player, namesake_seat, street, made),
    kind as (partition by event, game, player, namesake_seat, street, is_bluff order by made),
    kind_ties as (partition by event, game, player, namesake_seat, street, is_bluff, made)
), counted as (
  select
    *,
    count(*) filter (where not is_bluff) over player_street as values_n,
    count(*) filter (where is_bluff) over player_street as bluffs_n
  from ranked
  window player_street as (partition by event, game, player, namesake_seat, street)
), placed as (
  -- The share of the other kind that a bet stands above.
  select *, (place - place_in_kind) / nullif(if(is_bluff, values_n, bluffs_n), 0) as above
  from counted
), pulls as (
  -- What a cluster's bets add to auc.
  select
    event, game, player, namesake_seat, street,
    sum(if(is_bluff, (1 - above - auc) / bluffs_n, (above - auc) / values_n)) as pull
  from (
    select
      *,
      avg(above) filter (where not is_bluff)
        over (partition by event, game, player, namesake_seat, street) as auc
    from placed
    where cluster is not null
  )
  group by event, game, player, namesake_seat, street, match_id, cluster
), spreads as (
  select
    event, game, player, namesake_seat, street,
    count(*) as clusters,
    count(*) / nullif(count(*) - 1, 0) * sum(pull * pull) as variance
  from pulls
  group by all
), found as (
  select
    event, game, player, namesake_seat as seat, street,
    count(*) as bets,
    count(*) filter (where not is_bluff) as bets_for_value,
    count(*) filter (where is_bluff) as bluffs,
    avg(made) filter (where not is_bluff) as value_size,
    avg(made) filter (where is_bluff) as bluff_size,
    avg(above) filter (where not is_bluff) as auc,
    var_samp(above) filter (where not is_bluff) / bets_for_value
      + var_samp(above) filter (where is_bluff) / bluffs as variance
  from placed
  group by all
), sized as (
  select
    f.*,
    if(
      f.auc is null,
      null,
      coalesce(
        f.auc * (1 - f.auc) / if(f.variance > 0, greatest(f.variance, s.variance), null)
        * if(s.clusters > 1, (z_975() / t_975(s.clusters - 1)) ** 2, 1),
        least(f.bets_for_value, f.bluffs)
      )
    ) as n
  from found as f
  left join spreads as s
    on s.event = f.event and s.game = f.game and s.player = f.player and s.namesake_seat is not distinct from f.seat
    and s.street = f.street
)
select
  event, game, player, seat, street, bets, bets_for_value, bluffs, value_size, bluff_size, auc,
  wilson_low(auc * n, n) as low,
  wilson_high(auc * n, n) as high
from sized
