select m.game, h.verdict, count(*) as hands, count(distinct h.match_id) as matches
from hands h join matches m using (match_id)
group by all
