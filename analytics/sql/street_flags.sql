-- name: street_flags
-- suffixes: before_lock
-- grain: hand x seat x street, in Blotto x board, of players who had an opportunity
-- table: in a small store
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   board_no  TINYINT  number of the board in games of several boards; else 0
--   seat  TINYINT  seat in the match, from 0
--   place  TINYINT  seat counted from the dealer, from 0
--   cluster  BIGINT  number of the cluster in the match: cluster_of
--   street  TINYINT  0 preflop, 1 flop, 2 turn, 3 river; River of Blood: 4 and on, the run
--   chances  INTEGER  a bit for each opportunity: the bits of street_statistics
--   taken  INTEGER  bits of the opportunities that were taken
-- definition: what street_chances and street_tendencies count, from the actions of every hand that is not damaged.
with made as (
  select
    a.match_id, a.hand_index, coalesce(a.board_no, 0) as board_no, a.street, a.seat, a.action, a.bet_level,
    a.aggressor_seat, a.pot_before, h.cluster, h.n_players, h.table_size,
    h.table_size::integer * a.street + a.seat as spot,
    position_of(e.place, a.seat, h.dealer_seat, h.n_players) as place,
    position_of(r.place, a.aggressor_seat, h.dealer_seat, h.n_players) as aggressor_place,
    a.origin = 'choice' as own,
    a.action in ('bet', 'raise') as bold
  from stored.actions as a
  join counted_hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
  left join short_tables as e on e.match_id = a.match_id and e.hand_index = a.hand_index and e.seat = a.seat
  left join short_tables as r
    on r.match_id = a.match_id and r.hand_index = a.hand_index and r.seat = a.aggressor_seat
  where h.is_holdem and a.origin <> 'dummy' and a.action in ('fold', 'check', 'call', 'bet', 'raise')
),
story as (
  select
    match_id, hand_index, board_no,
    min(pot_before) filter (where street = 0) as posted,
    min(pot_before) filter (where street = 0 and bet_level = 1 and bold) as raised_at,
    max(aggressor_seat) filter (where street = 1 and bet_level = 0) as raiser,
    max(seat) filter (where street = 1 and bet_level = 0 and bold) as bettor_1,
    max(seat) filter (where street = 2 and bet_level = 0 and bold) as bettor_2,
    max(seat) filter (where street = 3 and bet_level = 0 and bold) as bettor_3,
    -- A set of spots is bits, and a list of those that have no bit: the matches of some records have 60 names.
    bit_or(if(spot < 64, 1::ubigint << spot, 0)) filter (where action = 'check') as checked,
    bit_or(if(spot < 64, 1::ubigint << spot, 0)) as acted,
    list(spot) filter (where spot >= 64 and action = 'check') as more_checked,
    list(spot) filter (where spot >= 64) as more_acted
  from made
  group by all
),
named as (
  select
    match_id, place, position = 'BB' as is_big_blind, position in ('CO', 'BTN', 'SB') as steals
  from positions
),
told as (
  select
    d.*, t.posted, t.raised_at, t.raiser, t.bettor_1,
    has_spot(t.checked, t.more_checked, d.spot) as has_checked,
    has_spot(t.acted, t.more_acted, d.spot - d.seat + d.aggressor_seat) as aggressor_acts,
    has_spot(t.checked, t.more_checked, d.table_size::integer + t.raiser) and t.bettor_1 is null
    and (d.street = 2 or d.street = 3 and t.bettor_2 is null) as missed,
    case d.street when 1 then t.bettor_1 when 2 then t.bettor_2 when 3 then t.bettor_3 end as bettor,
    d.street = 1 or d.street = 2 and t.bettor_1 is not null or d.street = 3 and t.bettor_2 is not null as led,
    d.street = 1 or d.street = 2 and t.bettor_1 = t.raiser
    or d.street = 3 and t.bettor_1 = t.raiser and t.bettor_2 = t.raiser as barrels
  from made as d
  join story as t on t.match_id = d.match_id and t.hand_index = d.hand_index and t.board_no = d.board_no
  where d.own
),
marked as (
  select
    d.match_id, d.hand_index, d.board_no, d.seat, d.place, d.cluster, d.street, d.bold, d.action = 'fold' as gives_up,
    d.street = 0 and d.bet_level = 1 as c_2bet,
    d.street = 0 and d.bet_level = 1 and p.steals and d.pot_before = d.posted as c_steal,
    d.street = 0 and d.bet_level = 2 and p.is_big_blind and coalesce(g.steals, false)
    and d.raised_at = d.posted as c_fold_to_steal,
    d.bet_level = 0 and d.barrels and d.seat = d.raiser as c_cbet,
    d.bet_level = 1 and d.barrels and d.bettor = d.raiser and d.seat <> d.raiser as c_fold_to_cbet,
    d.bet_level = 0 and d.missed and d.seat = d.raiser as c_delayed_cbet,
    d.bet_level = 0 and d.missed and d.seat <> d.raiser as c_probe,
    d.bet_level = 0 and d.street in (1, 2, 3) and d.led and d.seat <> d.aggressor_seat
    and (d.aggressor_acts or d.n_players = 2 and d.action = 'fold')
    and (d.place - 1 + d.table_size) % d.table_size < (d.aggressor_place - 1 + d.table_size) % d.table_size as c_donk,
    d.bet_level > 0 and d.street > 0 and d.has_checked as c_check_raise
  from told as d
  join named as p on p.match_id = d.match_id and p.place = d.place
  left join named as g on g.match_id = d.match_id and g.place = d.aggressor_place
)
select
  match_id, hand_index, board_no, seat, place, cluster, street,
  bit_or(c_bold | c_fold) as chances,
  bit_or(if(bold, c_bold, 0) | if(gives_up, c_fold, 0)) as taken
from (
  select
    match_id, hand_index, board_no, seat, place, cluster, street, bold, gives_up,
    if(c_2bet, 1, 0) | if(c_steal, 2, 0) | if(c_cbet, 8, 0) | if(c_delayed_cbet, 32, 0) | if(c_probe, 64, 0)
    | if(c_donk, 128, 0) | if(c_check_raise, 256, 0) as c_bold,
    if(c_fold_to_steal, 4, 0) | if(c_fold_to_cbet, 16, 0) as c_fold
  from marked
)
where c_bold | c_fold <> 0
group by all
