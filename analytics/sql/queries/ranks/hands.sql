select
    h.match_id, h.hand_index,
    cluster_of(g.cluster, g.cluster_hands, h.hand_index, h.hand_no) as block,
    [strpos(ranks(), card[1]) - 1 for card in h.board] as board,
    coalesce([strpos(ranks(), card[1]) - 1 for card in a.hole], [-1, -1]) as hole_0,
    coalesce([strpos(ranks(), card[1]) - 1 for card in b.hole], [-1, -1]) as hole_1,
    coalesce(strpos(ranks(), a.bounty_rank) - 1, -1) as rank_0,
    coalesce(strpos(ranks(), b.bounty_rank) - 1, -1) as rank_1,
    coalesce(a.bounty_hit, false) as hit_0,
    coalesce(b.bounty_hit, false) as hit_1,
    a.flags & (flag_bit('won_hand') | flag_bit('tied_showdown')) <> 0 as told_0,
    b.flags & (flag_bit('won_hand') | flag_bit('tied_showdown')) <> 0 as told_1,
    h.ended_by = 'showdown' as shown
from stored.hands as h
join stored.games as g on g.game = h.game and g.bounties
join stored.seats as a on a.match_id = h.match_id and a.hand_index = h.hand_index and a.seat = 0
join stored.seats as b on b.match_id = h.match_id and b.hand_index = h.hand_index and b.seat = 1
anti join damaged_hands as d on d.match_id = h.match_id and d.hand_index = h.hand_index
where ($ids is null or among(h.match_id, $ids)) and coalesce(a.bounty_rank, b.bounty_rank) is not null
    and coalesce(len(a.hole), len(b.hole)) = 2 and coalesce(len(b.hole), 2) = 2
order by h.match_id, h.hand_index
