-- Own bets, calls, checks and folds, on each board.
select a.match_id, a.hand_index, a.seat, a.street, a.action, coalesce(a.board_no, 1) - 1 as board,
    a.to_call, a.pot_before, a.pip_before, a.amount_to, a.chips_added, a.bet_level, a.max_raise_to, a.aggressor_seat
from actions as a
where among(a.match_id, $ids) and a.origin = 'choice'
    and a.action in ('fold', 'check', 'call', 'bet', 'raise')
    and (a.hand_index < $first or a.hand_index // $run % $every = 0)
order by a.match_id, a.hand_index, a.seq
