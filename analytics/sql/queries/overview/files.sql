-- The files of the matches; for all matches of a store, also files without a match.
select * from files
where file_id in (select file_id from matches where among(match_id, $ids))
    or (select count(*) from matches) = len($ids)
order by status = 'ok', path
