-- The matches, and those columns of their definitions that the relation leaves out.
select
  m.match_id, m.event, m.players, m.hands, m.starting_stacks, m.blinds, m.unit, m.seed, m.complete,
  coalesce(c.cards, cast(m.match_id as varchar)) as cards,
  m.blinds_by_position, m.raise_sizes, m.raise_caps, m.game
from stored.matches as m
left join card_sequences as c on c.match_id = m.match_id
order by m.match_id
