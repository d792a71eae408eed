-- name: results
-- grain: match x seat
-- columns:
--   match_id  UBIGINT  key of the match
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   seat  TINYINT  seat in the match, from 0
--   player  VARCHAR  name of the player in the log
--   opponent  VARCHAR  name of the opponent
--   hands  BIGINT  hands whose award is in the log
--   delta  DOUBLE  chips won, as logged
--   delta_written  DOUBLE  chips won if every hand were paid as written
--   delta_engine  DOUBLE  chips won if every hand were paid by the rules of the engine profile
--   bb_per_100  DOUBLE  bb won per 100 hands, 100 * delta / (unit * hands)
--   bb_per_100_low  DOUBLE  lower end of its 95% interval; null of one block
--   bb_per_100_high  DOUBLE  upper end; null of one block
--   sd_per_100  DOUBLE  bb, 10 x the standard deviation of a hand's delta
--   unpriced_hands  BIGINT  hands whose payout cannot be checked: damaged or unverified
--   complete  BOOLEAN  the log ends like that of a finished match
-- definition: what each player won. Every stored hand counts, so that delta is what the bankroll says; in
--   unpriced_hands the logged delta stands for delta_written and delta_engine. The interval is mean +- t * se, where
--   the unit of sampling is what the game resets: in Bounty the block of 25 rounds between new ranks, in Koper the
--   match (one match has no interval), elsewhere the hand; se^2 = B / (B - 1) * sum over the B blocks of (delta - hands * mean)^2 / hands^2, and t has B - 1 degrees
--   of freedom.
select
  r.match_id, p.event, p.game, r.seat, p.player, p.opponent, r.hands, r.delta, r.delta_written, r.delta_engine,
  100 * r.mean / p.unit as bb_per_100,
  100 * (r.mean - t_975(r.blocks - 1) * r.se) / p.unit as bb_per_100_low,
  100 * (r.mean + t_975(r.blocks - 1) * r.se) / p.unit as bb_per_100_high,
  10 * r.sd / p.unit as sd_per_100,
  r.unpriced_hands, m.complete
from (
  select
    match_id, seat, hands, unpriced_hands, blocks,
    settled(delta) as delta, settled(delta_written) as delta_written, settled(delta_engine) as delta_engine,
    delta / hands as mean,
    if(hands > 1, sqrt(greatest(squares - delta * delta / hands, 0) / (hands - 1)), null) as sd,
    ratio_se(delta / hands, hands, blocks, block_squares, block_products, block_hands_squares) as se
  from winnings_by_match
) as r
join players as p on p.match_id = r.match_id and p.seat = r.seat
join matches as m on m.match_id = r.match_id
