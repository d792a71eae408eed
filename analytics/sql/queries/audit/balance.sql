-- The cards of each match by itself; `dealer` judges the matches of an event together.
select event, game, hands, deck, dealt, statistic, df, expected, rarest, rarest_dealt, commonest, commonest_dealt, match_id
from deal_balance
where among(match_id, $ids)
