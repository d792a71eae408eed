select *, count(*) over (partition by match_id) as total
from findings where among(match_id, $ids) and verdict <> 'engine_deviation'
qualify row_number() over (partition by match_id order by verdict = 'violation' desc, hand_index, seq)
    <= $most_findings
order by match_id, verdict = 'violation' desc, hand_index, seq
