-- The matches, and those columns of their definitions that the relation leaves out.
select
  m.match_id, m.event, m.players, m.hands, m.starting_stacks, m.blinds, m.unit, m.seed, m.complete,
  coalesce(m.card_set, m.match_id) as card_group,
  m.blinds_by_position, m.raise_sizes, m.raise_caps, m.game
from stored.matches as m
order by m.match_id
