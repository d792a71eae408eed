-- The matches whose dealer can be judged, with their decks; of those that were dealt the same cards the first.
select m.match_id, m.event, m.game, deck_cards(coalesce(m.suits, g.suits), coalesce(m.ranks, g.ranks)) as deck, g.boards
from stored.matches as m
join stored.games as g on g.game = m.game
join open_matches as o on o.match_id = m.match_id
left join card_sequences as c on c.match_id = m.match_id
where among(m.match_id, $ids) and deck is not null
qualify row_number() over (
  partition by m.event, m.game, coalesce(c.cards, cast(m.match_id as varchar)) order by m.match_id
) = 1
order by m.event, m.game, deck, m.match_id
