-- name: counted_hands
-- suffixes: before_lock
-- grain: hand
-- table: in a small store
-- columns:
--   match_id  UBIGINT  key of the match
--   hand_index  INTEGER  number of the hand within the match, from 0
--   game  VARCHAR  the game that was played
--   dealer_seat  TINYINT  seat of the dealer; null in Koper
--   n_players  TINYINT  at the table
--   table_size  BIGINT  players of the match
--   is_holdem  BOOLEAN  of match_starts
--   simultaneous  BOOLEAN  as in games: no player responds to a bet
--   cluster  BIGINT  number of the cluster in the match: cluster_of; null if hands are independent
-- definition: the hands that statistics count: all that are not damaged. Before the lock point: only those
--   before hand lock_points.hand_index, if the match has one, whichever player leads.
select h.match_id, h.hand_index, h.game, h.dealer_seat, h.n_players, f.table_size, f.is_holdem, f.simultaneous,
  cluster_of(f.cluster, f.cluster_hands, h.hand_index, h.hand_no) as cluster
from stored.hands as h
join match_starts as f on f.match_id = h.match_id
where h.verdict <> 'damaged' /*before_lock and h.hand_index < f.counted */
