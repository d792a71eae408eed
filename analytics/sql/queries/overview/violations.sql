select x.*, path from findings x left join files using (file_id)
where verdict = 'violation' and among(match_id, $ids)
order by path, line limit $listed
