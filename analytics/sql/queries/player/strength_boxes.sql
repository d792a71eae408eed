-- The spread of the strength behind bets: quantiles of equity_own by size of the bet or raise; n are those whose cards are known.
select event, game, player, namesake_seat as seat, street, street_name(street, game) as street_name,
    made_bin as size, size_name(made_bin) as size_name, count(*) as n,
    unnest(list_transform([quantile_cont(equity_own, [0.05, 0.25, 0.5, 0.75, 0.95])],
        lambda ends: {'whisker_low': ends[1], 'box_low': ends[2], 'median': ends[3], 'box_high': ends[4], 'whisker_high': ends[5]}
    ), recursive := true)
from strengths where made is not null and equity_own is not null
group by event, game, player, namesake_seat, street, made_bin
order by event, game, player, namesake_seat, street, made_bin
