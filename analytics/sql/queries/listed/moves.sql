-- What was done in each hand: [seat, street, word of view `moves`].
select match_id, hand_index, list(distinct json_array(seat, street, move)) as found
from moves
where among(match_id, $ids) and hand_index < $most
group by all
