-- name: winnings_by_match
-- grain: match x seat
-- table: in a small store
-- columns:
--   match_id  UBIGINT  key of the match
--   seat  TINYINT  seat in the match, from 0
--   hands  BIGINT  hands whose award is in the log
--   delta  DOUBLE  chips won, as logged
--   delta_written  DOUBLE  chips won if every hand were paid as written
--   delta_engine  DOUBLE  chips won if every hand were paid by the rules of the engine profile
--   squares  DOUBLE  sum of delta^2 over hands
--   unpriced_hands  BIGINT  hands whose payout cannot be checked: damaged or unverified
--   blocks  BIGINT  blocks, the unit of sampling
--   block_squares  DOUBLE  over blocks, the sum of delta^2
--   block_products  DOUBLE  over blocks, the sum of delta x hands
--   block_hands_squares  DOUBLE  over blocks, the sum of hands^2
-- definition: the parts of results and winnings; every column adds up over matches. The unit of sampling is what
--   the game resets: in Bounty the block of 25 rounds between new ranks, in Koper the match, elsewhere the hand.
select
  match_id, seat,
  cast(sum(hands) as bigint) as hands,
  sum(delta) as delta,
  sum(delta_written) as delta_written,
  sum(delta_engine) as delta_engine,
  sum(squares) as squares,
  cast(sum(unpriced_hands) as bigint) as unpriced_hands,
  cast(sum(if(block is null, hands, 1)) as bigint) as blocks,
  sum(if(block is null, squares, delta * delta)) as block_squares,
  sum(if(block is null, delta, delta * hands)) as block_products,
  cast(sum(if(block is null, hands, hands * hands)) as double) as block_hands_squares
from (
  select
    s.match_id, s.seat,
    if(
      f.cluster <> 'hand',
      cluster_of(f.cluster, f.cluster_hands, s.hand_index, coalesce(r.hand_no, f.hand_no + s.hand_index)),
      null
    ) as block,
    count(*) as hands,
    sum(s.delta) as delta,
    sum(s.delta + if(priced, s.written_off, 0)) as delta_written,
    sum(s.delta + if(priced, coalesce(s.engine_off, 0), 0)) as delta_engine,
    count(*) filter (where not priced) as unpriced_hands,
    sum(s.delta * s.delta) as squares
  from (
    select q.*, q.written_off is not null and d.match_id is null as priced
    from stored.seats as q
    left join damaged_hands as d on d.match_id = q.match_id and d.hand_index = q.hand_index
  ) as s
  join match_starts as f on f.match_id = s.match_id
  left join renumbered as r on r.match_id = s.match_id and r.hand_index = s.hand_index
  where s.delta is not null
  group by all
)
group by match_id, seat
