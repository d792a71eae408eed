select match_id, hand_index, list(json_array(line, seat, rule, kind, verdict, deviation, expected, logged,
    chips, message) order by seq)
from findings
