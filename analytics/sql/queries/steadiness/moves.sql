select a.match_id, a.hand_index, a.street, a.seat, a.action, a.origin, a.amount_to, h.game, h.board,
    position_of(e.place, a.seat, h.dealer_seat, h.n_players) as place
from actions as a
join hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
left join short_tables as e on e.match_id = a.match_id and e.hand_index = a.hand_index and e.seat = a.seat
join games as g on g.game = h.game and g.boards = 1
    and not (g.simultaneous or g.auctions or g.swaps or g.discards or g.throws or g.passes or g.redraws)
where h.verdict <> 'damaged' and a.origin <> 'dummy' and ($player is null or exists (
        select 1 from players as p where p.match_id = a.match_id and p.player = $player))
order by a.match_id, a.hand_index, a.seq
