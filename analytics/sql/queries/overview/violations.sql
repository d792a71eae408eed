select x.*, path from findings x left join files using (file_id)
where verdict = 'violation' and list_contains($ids, match_id)
order by path, line limit $listed
