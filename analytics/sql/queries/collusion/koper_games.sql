-- The code of a card is its index in the list $deck, from 1.
select
    k.match_id, k.hand_index, k.player_index,
    coalesce(list_position($deck, k.hole_cards[1]), 0) - 1,
    coalesce(list_position($deck, k.hole_cards[2]), 0) - 1,
    coalesce(list_position($deck, k.community_cards[1]), 0) - 1,
    coalesce(list_position($deck, k.community_cards[2]), 0) - 1,
    coalesce(list_position($deck, k.community_cards[3]), 0) - 1,
    coalesce(list_position($deck, k.community_cards[4]), 0) - 1,
    coalesce(list_position($deck, k.community_cards[5]), 0) - 1,
    cast(k.folded as integer),
    coalesce(k.bet_1, -1), coalesce(k.bet_2, -1), coalesce(k.bet_3, -1),
    coalesce(k.win_prob_1, -1), coalesce(k.win_prob_2, -1), coalesce(k.win_prob_3, -1)
from koper_history as k
anti join damaged_hands as d on d.match_id = k.match_id and d.hand_index = k.hand_index
where among(k.match_id, $ids) and k.hand_index % $every = 0
order by k.match_id, k.hand_index, k.player_index
