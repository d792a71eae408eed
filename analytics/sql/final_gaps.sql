-- name: final_gaps
-- grain: match x seat whose result in the final line differs from that of the hands
-- columns:
--   match_id  UBIGINT  key of the match
--   event  VARCHAR  tournament or event of the match
--   game  VARCHAR  the game that was played
--   seat  TINYINT  seat in the match, from 0
--   player  VARCHAR  name of the player in the log
--   delta  DOUBLE  chips won by the awards of all hands
--   delta_logged  DOUBLE  chips won by the log's final line
--   hands_without_award  BIGINT  hands of the match whose award the log does not say
--   is_whole  BOOLEAN  every hand from the game's first on is there once, with its award: the final line contradicts them
-- definition: if a log lacks awards or complete hands, results, standings and rates count only the other
--   hands. If it lacks none, its final line is wrong (findings). Koper's final line gives stacks, not
--   winnings, and is left out.
select
  g.* exclude (first_hand_no),
  g.hands_without_award = 0
    and h.first_no = g.first_hand_no and h.numbers = h.hands and h.last_no - h.first_no + 1 = h.hands as is_whole
from (
  select
    r.match_id, r.event, r.game, r.seat, r.player, r.delta, m.logged_final[r.seat + 1] as delta_logged,
    m.hands - r.hands as hands_without_award, k.first_hand_no
  from results as r
  join stored.matches as m on m.match_id = r.match_id
  join stored.games as k on k.game = r.game and k.final_is_delta
  where abs(r.delta - m.logged_final[r.seat + 1]) > 0.01
) as g
join (
  select
    match_id, count(*) as hands, count(distinct hand_no) as numbers, min(hand_no) as first_no, max(hand_no) as last_no
  from stored.hands
  where match_id in (select match_id from stored.matches where logged_final is not null)
  group by match_id
) as h on h.match_id = g.match_id
