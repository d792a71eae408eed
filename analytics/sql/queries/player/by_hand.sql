-- What each starting hand of two cards won, and its place in the grid of 13 x 13, as in ranges.
select event, game, player, seat, hole_class, n, delta, bb_per_100, low, high,
    if(hole_class[3] = 'o', lower_place, upper_place) as grid_row,
    if(hole_class[3] = 'o', upper_place, lower_place) as grid_column
from (
    select event, game, player, seat, value as hole_class, hands as n, delta, bb_per_100, bb_per_100_low as low,
        bb_per_100_high as high, strpos(ranks_high_first(), value[1]) - 1 as upper_place,
        strpos(ranks_high_first(), value[2]) - 1 as lower_place
    from winnings_by_part
    where part = 'hand' and (value[3] in ('s', 'o') or (len(value) = 2 and value[1] = value[2]))
)
order by event, game, player, seat, bb_per_100 desc nulls last, hole_class
