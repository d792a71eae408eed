-- The acts of some matches that players saw or did, in order: not forced posts, fillers of the log, or checks of a player
-- without chips. own: the player's own decision.
select
    a.match_id, a.hand_index, a.seq, coalesce(a.board_no, 0) as board_no, a.street, a.seat, a.action,
    a.origin = 'choice' as own, a.to_call, a.pot_before, a.pip_before, a.stack_before, a.min_raise_to, a.max_raise_to,
    a.amount_to, a.amount_logged, a.win_prob, coalesce(m.blinds[-1], m.unit) as big_blind, s.position, n.players,
    strpos(ranks(), s.bounty_rank) - 1 as bounty_rank
from actions as a
join stored.hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
join stored.matches as m on m.match_id = a.match_id
join stored.seats as s on s.match_id = a.match_id and s.hand_index = a.hand_index and s.seat = a.seat
join (
    select match_id, hand_index, count(*) as players from stored.seats where among(match_id, $ids) group by all
) as n on n.match_id = a.match_id and n.hand_index = a.hand_index
where among(a.match_id, $ids) and h.verdict <> 'damaged'
    and (a.origin = 'choice' or (a.origin = 'substitute' and (a.action <> 'check' or a.stack_before is distinct from 0)))
order by a.match_id, a.hand_index, a.seq
