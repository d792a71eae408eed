-- name: unit_results
-- grain: match x part x seat
-- table: in a small store
-- columns:
--   match_id  UBIGINT  key of the match
--   seat  TINYINT  seat in the match, from 0
--   part  BIGINT  of the match: the block of 25 rounds in Bounty, 0 in Koper, hand_no in ACPC games, else hand_index
--   hands  BIGINT  hands whose award is in the log
--   delta  DOUBLE  chips won, as logged
-- definition: results in the smallest parts that are independent, given who plays. Parts of one number in matches
--   of one pair_unit or table_unit (view entrants) were dealt the same cards and belong together. Every stored hand
--   counts, as in results.
select
  s.match_id, s.seat,
  cast(unit_of(g.cluster, g.cluster_hands, g.shared_cards, s.hand_index, coalesce(r.hand_no, f.hand_no + s.hand_index)) as bigint) as part,
  count(*) as hands,
  sum(s.delta) as delta
from stored.seats as s
join (select match_id, game, hand_no from stored.hands where hand_index = 0) as f on f.match_id = s.match_id
join stored.games as g on g.game = f.game
left join renumbered as r on r.match_id = s.match_id and r.hand_index = s.hand_index
where s.delta is not null
group by all
