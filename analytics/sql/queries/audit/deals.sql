select game, reuse, shared, hands, share, expected, p, other_match_id, other_hand_index,
  match_id, hand_index, reuse is null as concern
from repeated_deals
where among(match_id, $ids) or among(other_match_id, $ids)
order by concern desc, game, reuse, share desc, match_id, other_match_id
