select
  r.game, count(*), count(distinct (least(a.file_id, b.file_id), greatest(a.file_id, b.file_id))),
  bool_and(a.file_id <> b.file_id)
from repeated_deals as r
join matches as a on a.match_id = r.match_id
join matches as b on b.match_id = r.other_match_id
where r.reuse is null group by r.game order by r.game
