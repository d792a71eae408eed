-- name: open_matches
-- grain: match
-- columns:
--   match_id  UBIGINT  key of the match
--   hands  BIGINT  its hands
-- definition: matches of which the store has every player's hole cards, in every hand that is not damaged; at
--   most a twentieth of the hands are (one hand at least: a log may be cut within it). If cards are only
--   shown at showdowns, the known cards are a biased sample of those dealt: aces are shown more often.
select match_id, count(*) as hands
from (
  select s.match_id, s.hand_index, bool_or(s.hole is null) as is_hidden, any_value(h.verdict) = 'damaged' as is_damaged
  from stored.seats as s
  join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
  group by s.match_id, s.hand_index
)
group by match_id
having not bool_or(is_hidden and not is_damaged) and count(*) filter (where is_damaged) <= greatest(1, count(*) / 20)
