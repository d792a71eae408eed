-- How often each secret rank was drawn, once a seat and block of hands that it holds for.
select m.event, m.game, g.ranks, d.matches, d.match_id, r.rank, r.drawn
from (
  select event, game, rank, count(*) as drawn
  from (
    select m.event, m.game, s.match_id, s.seat,
      unit_of(g.cluster, g.cluster_hands, g.shared_cards, s.hand_index, h.hand_no) as block,
      any_value(s.bounty_rank) as rank
    from stored.seats as s
    join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
    join stored.matches as m on m.match_id = s.match_id
    join stored.games as g on g.game = h.game
    where g.bounties and h.verdict <> 'damaged' and among(s.match_id, $ids)
    group by all
  )
  where rank is not null
  group by all
) as r
join (
  select event, game, count(*) as matches, min(match_id) as match_id
  from stored.matches
  where among(match_id, $ids)
  group by all
) as d on d.event is not distinct from r.event and d.game = r.game
join stored.matches as m on m.match_id = d.match_id
join stored.games as g on g.game = r.game
order by m.event, m.game, r.rank
