-- name: blotto_flags
-- grain: hand x board x seat, Blotto
-- only_if: boards: true
-- table: in a small store
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   board_no  TINYINT  from 1
--   seat  TINYINT  seat in the match, from 0
--   position  VARCHAR  place in this hand: SB the dealer, BB
--   flags  UBIGINT  bits as in stored.seats.flags
-- definition: the flags of one board of Blotto, where each board is a pot of its own with its own betting;
--   stored.seats has none of them. Fillers (origin 'dummy') are not decisions.
with decisions_made as (
  select
    a.match_id, a.hand_index, a.board_no, a.street, a.seat, a.action, a.bet_level, a.aggressor_seat,
    a.origin = 'choice' as own,
    a.seat = h.dealer_seat as deals,
    a.action in ('bet', 'raise') as bold
  from stored.actions as a
  join (
    select k.match_id, k.hand_index, k.dealer_seat
    from stored.hands as k
    join stored.games as g on g.game = k.game and g.boards > 1
  ) as h
    on h.match_id = a.match_id and h.hand_index = a.hand_index
  where a.origin <> 'dummy' and a.action in ('fold', 'check', 'call', 'bet', 'raise')
),
story as (
  select
    match_id, hand_index, board_no,
    max(aggressor_seat) filter (where street = 1 and bet_level = 0) as raiser,
    max(seat) filter (where street = 1 and bet_level = 0 and bold) as bettor_1,
    max(seat) filter (where street = 2 and bet_level = 0 and bold) as bettor_2,
    bit_or(1::ubigint << (2 * street + seat)) filter (where action = 'check') as checked
  from decisions_made
  group by all
),
told as (
  select
    d.*,
    d.own and d.street = 0 as before_flop,
    d.own and d.street = 0 and d.bet_level = 1 and d.deals as opens,
    d.own and d.street > 0 and d.bet_level = 0 as unbet,
    d.own and d.street > 0 and d.bet_level > 0 and coalesce(t.checked >> (2 * d.street + d.seat) & 1, 0) = 1 as is_answer,
    coalesce(t.checked >> (2 + t.raiser) & 1, 0) = 1 and t.bettor_1 is null as missed,
    t.raiser, t.bettor_1, t.bettor_2
  from decisions_made as d
  join story as t on t.match_id = d.match_id and t.hand_index = d.hand_index and t.board_no = d.board_no
),
found as (
  select
    match_id, hand_index, board_no, seat,
    bit_or(if(before_flop, flag_bit('acted_preflop'), 0)
    | if(before_flop and action in ('call', 'raise'), flag_bit('vpip'), 0)
    | if(before_flop and bold, flag_bit('pfr'), 0)
    | if(opens, flag_bit('rfi_chance') | flag_bit('limp_chance'), 0)
    | if(opens and bold, flag_bit('rfi'), 0)
    | if(opens and action = 'call', flag_bit('limp'), 0)
    | if(before_flop and bet_level = 2, flag_bit('threebet_chance'), 0)
    | if(before_flop and bet_level = 2 and bold, flag_bit('threebet'), 0)
    | if(before_flop and bet_level = 3, flag_bit('fourbet_chance') | flag_bit('fold_to_3bet_chance'), 0)
    | if(before_flop and bet_level = 3 and bold, flag_bit('fourbet'), 0)
    | if(before_flop and bet_level = 3 and action = 'fold', flag_bit('fold_to_3bet'), 0)
    | if(unbet and street = 1 and seat = raiser, flag_bit('cbet_flop_chance'), 0)
    | if(unbet and street = 1 and seat = raiser and bold, flag_bit('cbet_flop'), 0)
    | if(unbet and street = 2 and seat = raiser and seat = bettor_1, flag_bit('cbet_turn_chance'), 0)
    | if(unbet and street = 2 and seat = raiser and seat = bettor_1 and bold, flag_bit('cbet_turn'), 0)
    | if(unbet and street = 3 and seat = raiser and seat = bettor_1 and seat = bettor_2, flag_bit('cbet_river_chance'), 0)
    | if(
      unbet and street = 3 and seat = raiser and seat = bettor_1 and seat = bettor_2 and bold, flag_bit('cbet_river'), 0
    )
    | if(own and street = 1 and bet_level = 1 and raiser = bettor_1 and seat <> raiser, flag_bit('fold_to_cbet_chance'), 0)
    | if(
      own and street = 1 and bet_level = 1 and raiser = bettor_1 and seat <> raiser and action = 'fold',
      flag_bit('fold_to_cbet'),
      0
    )
    | if(is_answer, flag_bit('check_raise_chance'), 0)
    | if(is_answer and bold, flag_bit('check_raise'), 0)
    | if(unbet and street = 1 and raiser <> seat and not deals, flag_bit('donk_chance'), 0)
    | if(unbet and street = 1 and raiser <> seat and not deals and bold, flag_bit('donk'), 0)
    | if(unbet and street = 2 and raiser <> seat and missed, flag_bit('probe_chance'), 0)
    | if(unbet and street = 2 and raiser <> seat and missed and bold, flag_bit('probe'), 0)
    | if(unbet and street = 2 and raiser = seat and missed, flag_bit('delayed_cbet_chance'), 0)
    | if(unbet and street = 2 and raiser = seat and missed and bold, flag_bit('delayed_cbet'), 0)) as flags
  from told
  group by all
)
select
  b.match_id, b.hand_index, b.board_no, s.seat, s.position,
  cast(
    coalesce(f.flags, 0)
    | if(len(b.cards) > 0, flag_bit('saw_flop'), 0)
    | if(b.ended_by = 'showdown', flag_bit('went_to_showdown'), 0)
    | if(b.ended_by = 'showdown' and b.payout[s.seat + 1] > b.payout[2 - s.seat], flag_bit('won_showdown'), 0)
    | if(b.ended_by = 'showdown' and b.payout[1] = b.payout[2], flag_bit('tied_showdown'), 0)
    | if(b.payout[s.seat + 1] > b.payout[2 - s.seat], flag_bit('won_hand'), 0) as ubigint
  ) as flags
from stored.boards as b
join stored.seats as s on s.match_id = b.match_id and s.hand_index = b.hand_index
left join found as f
  on f.match_id = b.match_id and f.hand_index = b.hand_index and f.board_no = b.board_no and f.seat = s.seat
