select match_id, hand_index, list(json_array(line, street, seat, kind,
    list_transform(cards, lambda card: coalesce(card, '?')), cards_effective, board_no, replaced) order by seq)
from deals
