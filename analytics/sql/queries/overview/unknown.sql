-- Of the same files as `files`.
select u.*, path from unknown_lines u left join files using (file_id)
where file_id in (select file_id from matches where among(match_id, $ids))
    or (select count(*) from matches) = len($ids)
order by path, line limit $listed
