-- Cards as they were dealt, a row a card: its place in the deck, and numbers of its hand and of what is dealt at once.
-- Of hands with several boards the hole cards alone, for each board has a deck of its own.
select
  dense_rank() over (order by d.match_id, d.hand_index) - 1 as hand,
  dense_rank() over (order by d.match_id, d.hand_index, d.seq) - 1 as event,
  d.place, coalesce(list_position($deck, d.card), 0) - 1 as card
from (
  select match_id, hand_index, seq, unnest(coalesce(cards, [null])) as card,
    case kind
      when 'deal' then 'hole cards'
      when 'board' then street_name(street, $game)
      else replace(kind, '_', ' ')
    end as place
  from deals
  where among(match_id, $ids) and ($boards = 1 or kind = 'deal')
) as d
join stored.hands as h on h.match_id = d.match_id and h.hand_index = d.hand_index
where h.verdict <> 'damaged'
order by event
