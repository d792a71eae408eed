select game, reuse, shared, hands, share, expected, p, other_match_id, other_hand_index,
  match_id, hand_index, reuse is null as concern
from repeated_deals
where list_contains($ids, match_id) or list_contains($ids, other_match_id)
order by concern desc, game, reuse, share desc, match_id, other_match_id
