select match_id, hand_index, line, verdict, to_json({'index': hand_index, 'no': hand_no, 'line': line,
    'dealer': dealer_seat, 'ended': ended_by, 'pot': pot, 'board': list_transform(coalesce(board_changed, board), lambda card: coalesce(card, '?')),
    'verdict': verdict,
    'deviations': deviations, 'undealt': undealt})
from hands where among(match_id, $ids) order by match_id, hand_index
