select
    a.match_id, a.hand_index, a.seq, a.seat, a.street, a.action, a.to_call > 0 as faces_bet,
    p.event, p.player, p.namesake_seat
from stored.actions as a
join players as p on p.match_id = a.match_id and p.seat = a.seat
join games as g on g.game = p.game and g.bounties
where a.origin = 'choice' and a.action in ('fold', 'check', 'call', 'bet', 'raise')
order by a.match_id, a.hand_index, a.seq
