-- Matches one by one, and those of an event together.
select event, game, 1 as matches, hands, deck, dealt, statistic, df, expected, rarest, rarest_dealt, commonest,
    commonest_dealt, [match_id] as match_ids, match_id
from deal_balance
union all
select event, game, matches, hands, deck, dealt, statistic, df, expected, rarest, rarest_dealt, commonest,
    commonest_dealt, match_ids, match_id
from event_balance
