select m.game, h.verdict, count(*) as hands
from hands h join matches m using (match_id)
group by all
