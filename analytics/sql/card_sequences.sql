-- name: card_sequences
-- grain: match
-- columns:
--   match_id  UBIGINT  key of the match
--   cards  VARCHAR  equal for matches that were dealt the same cards; null if the log shows none
-- definition: matches are dealt the same cards if they have one matches.card_set, else if their first 16 hands are
--   dealt the same hole cards by position.
select m.match_id, coalesce(cast(m.card_set as varchar), c.cards) as cards
from stored.matches as m
left join (
  select match_id, string_agg(array_to_string(hole, ''), '/' order by hand_index, position, seat) as cards
  from stored.seats
  where hand_index < hands_compared() and hole is not null
  group by match_id
) as c on c.match_id = m.match_id
