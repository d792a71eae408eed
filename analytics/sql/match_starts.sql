-- name: match_starts
-- suffixes: before_lock
-- grain: match
-- table: in all stores
-- columns:
--   match_id  UBIGINT  key of the match
--   game  VARCHAR  the game that was played
--   hand_no  BIGINT  number of its first hand, as printed
--   cluster  VARCHAR  of games, as the next three
--   cluster_hands  SMALLINT  how many numbers
--   boards  TINYINT  boards of a hand
--   table_size  BIGINT  players of the match
--   simultaneous  BOOLEAN  all players bet at once
--   is_holdem  BOOLEAN  its positions have hold'em's names: not Koper, Kuhn, Leduc
--   counted  INTEGER  hands of a smaller hand_index count; 2147483647: all
-- definition: the first hand's numbers, by which the hands of a match are counted. Before the lock point, counted
--   is hand_index of lock_points where there is one.
select h.match_id, h.game, h.hand_no, g.cluster, g.cluster_hands, g.boards, len(m.players) as table_size, g.simultaneous,
  coalesce(try_cast(p.position as integer) is null and p.position is not null, false) as is_holdem,
  /*before_lock coalesce(l.hand_index, */ 2147483647 /*before_lock ) */ as counted
from stored.hands as h
join stored.games as g on g.game = h.game
join stored.matches as m on m.match_id = h.match_id
left join positions as p on p.match_id = h.match_id and p.place = 0
/*before_lock left join lock_points as l on l.match_id = h.match_id */
where h.hand_index = 0
