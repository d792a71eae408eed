select event, game, player, seat, least(bet_level, 2) as level, hole_class, grid_row, grid_column,
    sum(decisions)::bigint as n, sum(folds)::bigint as folds, sum(checks + calls)::bigint as calls,
    sum(raises)::bigint as raises
from ranges where grid_row is not null and bet_level >= 1 group by all
