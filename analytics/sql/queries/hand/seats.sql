select match_id, hand_index, list(json_array(seat, position, hole,
    list_transform(hole_final, lambda card: coalesce(card, '?')), stack_start, contribution,
    delta, delta_written, delta_engine, bankroll_before, bounty_rank, bounty_hit, shown, eliminated)
    order by seat)
from seats
