-- name: positions
-- grain: match x place
-- table: in all stores
-- columns:
--   match_id  UBIGINT  key of the match
--   place  TINYINT  seat counted from the dealer, from 0
--   position  VARCHAR  its name: SB (heads-up the dealer), BB, UTG, ..., BTN, or a number
-- definition: the names of the positions in a match, by (seat - dealer_seat) mod n_players, from its first hand.
select s.match_id, position_of(null, s.seat, h.dealer_seat, h.n_players) as place, s.position
from (select * from stored.seats where hand_index = 0) as s
join (select * from stored.hands where hand_index = 0) as h on h.match_id = s.match_id
where h.dealer_seat is not null
