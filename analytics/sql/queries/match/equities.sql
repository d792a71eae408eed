select match_id, seat, player, count(*) as opportunities, count(*) filter (where folded) as folds,
    rate_of(folds, opportunities) as rate, wilson_low(folds, opportunities) as low,
    wilson_high(folds, opportunities) as high,
    mean_within(if(folded, win_prob, null), 1) as when_folding,
    mean_within(if(folded, null, win_prob), 1) as when_betting,
    mean_within(if(folded, null, chips_added), null) as bet
from (
    select *, action = 'fold' as folded from actions anti join damaged_hands using (match_id, hand_index)
    where among(match_id, $ids) and street = 1 and origin = 'choice' and win_prob is not null
)
group by all order by match_id, seat
