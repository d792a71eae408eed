select a.match_id, a.hand_index, a.seat, a.street,
    list_position($actions, a.action) - 1, list_position($origins, a.origin) - 1,
    a.to_call, a.pot_before, a.pip_before, coalesce(a.amount_to, 0), a.bet_level,
    coalesce(a.max_raise_to, 0), coalesce(a.aggressor_seat, -1)
from actions as a
join stored.hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
where among(a.match_id, $ids) and h.verdict <> 'damaged' and a.action <> 'post'
    and (a.hand_index < $first or a.hand_index // $run % $every = 0)
order by a.match_id, a.hand_index, a.seq
