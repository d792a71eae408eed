-- Hole cards exchanged by chance after the cards of a street, by who holds them: `could` of them, each with one chance.
-- In games in which chance exchanges cards no other change of cards is stored.
with could as (
  select h.match_id, h.hand_index, s.seat, m.event, h.game, s.player, s.position, len(s.hole) as cards, p.street, p.chance
  from stored.hands as h
  join stored.matches as m on m.match_id = h.match_id
  join stored.seats as s on s.match_id = h.match_id and s.hand_index = h.hand_index
  join (
    select game, unnest(swap_chances) as chance, unnest(range(len(swap_chances))) as street
    from stored.games
  ) as p on p.game = h.game and p.chance > 0 and p.street < h.streets
  where h.verdict <> 'damaged' and among(h.match_id, $ids)
),
did as (
  select match_id, hand_index, seat, street, cast(sum(len(cards)) as bigint) as cards
  from stored.changes
  group by all
),
named as (
  select c.*, coalesce(d.cards, 0) as changed,
    unnest([
      {'kind': '', 'who': ''}, {'kind': ' by player', 'who': c.player}, {'kind': ' by position', 'who': c.position}
    ], recursive := true)
  from could as c
  left join did as d
    on d.match_id = c.match_id and d.hand_index = c.hand_index and d.seat = c.seat and d.street = c.street
)
select event, game, street_name(street, game) as place, kind, who, any_value(chance) as chance, count(distinct match_id) as matches,
  count(*) as hands, cast(sum(cards) as bigint) as could, cast(sum(changed) as bigint) as changed, min(match_id) as match_id
from named
where who is not null
group by event, game, street, kind, who
order by event, game, street, kind, who
