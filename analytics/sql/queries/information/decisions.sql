-- What a player knew at each of its own decisions, and what was hidden: `actual`, the share of the pot that it wins
-- against the hands really held, and `change`, what the next cards add to the value of its hand. `revealed`: whether
-- it was shown a hidden card before.
select
    a.match_id, a.hand_index, a.seat, a.street, list_position($actions, a.action) - 1,
    a.to_call, a.pot_before, a.chips_added, coalesce(a.stack_before, 0), a.bet_level, a.active_players,
    case when a.aggressor_seat is null then 0 when a.aggressor_seat = a.seat then 1 else 2 end,
    (a.seat - coalesce(h.dealer_seat, 0) + h.n_players) % h.n_players,
    coalesce(list_max([strpos(ranks(), card[1]) for card in s.hole]), 7) - 1,
    coalesce(list_min([strpos(ranks(), card[1]) for card in s.hole]), 7) - 1,
    coalesce(len(list_distinct([card[1] for card in s.hole])) < len(s.hole), false),
    coalesce(len(list_distinct([card[2] for card in s.hole])) < len(s.hole), false),
    e.equity_own, b.equity_own, e.equity_actual,
    (n.value - n.value_before) / (n.stake * a.active_players),
    coalesce(r.street <= a.street, false)
from actions as a
join stored.hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
join stored.seats as s on s.match_id = a.match_id and s.hand_index = a.hand_index and s.seat = a.seat
join equities as e
    on e.match_id = a.match_id and e.hand_index = a.hand_index and e.street = a.street and e.seat = a.seat
    and e.board_no is not distinct from a.board_no
left join equities as b
    on b.match_id = a.match_id and b.hand_index = a.hand_index and b.street = a.street - 1 and b.seat = a.seat
    and b.board_no is not distinct from a.board_no
left join equities as n
    on n.match_id = a.match_id and n.hand_index = a.hand_index and n.street = a.street + 1 and n.seat = a.seat
    and n.board_no is not distinct from a.board_no
left join (
    select match_id, hand_index, seat, min(street) as street
    from stored.changes where kind in ('reveal', 'reveal_board') group by all
) as r on r.match_id = a.match_id and r.hand_index = a.hand_index and r.seat = a.seat
where among(a.match_id, $ids) and h.verdict <> 'damaged' and a.origin = 'choice'
    and list_contains($actions, a.action) and a.hand_index // $run % $every = 0 and e.equity_own is not null
order by a.match_id, a.hand_index, a.seq
