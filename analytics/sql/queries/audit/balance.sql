select event, game, hands, deck, dealt, statistic, df, rarest, commonest, match_id
from deal_balance
order by game, match_id
