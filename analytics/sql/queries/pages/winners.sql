-- Winners by seat: which of two namesakes `winners_as_written` means.
select match_id, list(seat order by seat) filter (where place = 1) as winners,
    list(seat order by seat) filter (where place_written = 1) as winners_written
from (
    select match_id, seat, rank() over (partition by match_id order by delta desc) as place,
        rank() over (partition by match_id order by delta_written desc) as place_written
    from results where among(match_id, $ids)
) group by match_id
