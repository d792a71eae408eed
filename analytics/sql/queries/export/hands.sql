-- A hand has more lines of cards than players whose cards are known and streets if a second board was dealt, which
-- is not stored. why: the rules that leave an unverified hand open; where its rules are not known, what the log plays.
select
  h.match_id, h.hand_index, h.hand_no, h.dealer_seat, h.streets, h.ended_by, h.board, h.verdict,
  h.board_changed is not null as board_changed, h.rake,
  coalesce(len(h.card_lines) > h.streets - 1 + s.known, false) as second_board,
  coalesce(f.why, []) as why
from stored.hands as h
left join (
  select match_id, hand_index, count(*) filter (len(hole) > 0) as known
  from stored.seats
  where match_id between $low and $high and hand_index between $first and $last
  group by match_id, hand_index
) as s on s.match_id = h.match_id and s.hand_index = h.hand_index
left join (
  select match_id, hand_index, list_sort(list(distinct if(rule = 'not-checked', message, rule))) as why
  from findings
  where match_id between $low and $high and hand_index between $first and $last and verdict = 'unverified'
  group by match_id, hand_index
) as f on f.match_id = h.match_id and f.hand_index = h.hand_index
where h.match_id between $low and $high and h.hand_index between $first and $last
order by h.match_id, h.hand_index
