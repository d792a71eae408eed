-- Situations of each hand that everybody at the table knows: [seat, street, word], null for all players or the whole hand.
select match_id, hand_index, list(distinct json_array(seat, street, situation)) as found
from betting_situations
where among(match_id, $ids) and hand_index < $most
group by all
