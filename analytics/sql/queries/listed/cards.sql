-- Situations of each hand that rest on hidden cards: [seat, street, word].
select match_id, hand_index, list(distinct json_array(seat, street, situation)) as found
from (
    select match_id, hand_index, seat, street, situation from equity_situations
    union all
    select match_id, hand_index, seat, street, situation from draw_situations
)
where among(match_id, $ids) and hand_index < $most
group by all
