select *, bets + raises + calls + folds as opportunities, afq as rate, afq_low as low, afq_high as high
from (/*over_matches aggression*/)
