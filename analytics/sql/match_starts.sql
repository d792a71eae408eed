-- name: match_starts
-- grain: match
-- columns:
--   match_id  UBIGINT  key of the match
--   game  VARCHAR  the rules
--   hand_no  BIGINT  number of its first hand, as printed
--   is_holdem  BOOLEAN  its positions have hold'em's names: not Koper, Kuhn, Leduc
-- definition: what the counting of hands asks of a match, from its first hand.
select h.match_id, h.game, h.hand_no, coalesce(try_cast(p.position as integer) is null and p.position is not null, false) as is_holdem
from stored.hands as h
left join positions as p on p.match_id = h.match_id and p.place = 0
where h.hand_index = 0
