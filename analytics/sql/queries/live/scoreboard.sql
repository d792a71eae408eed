-- Every player of the store, the competition with most hands first, in it the one with most chips.
select event, game, player, seat, matches, hands, coalesce(delta, 0) as chips, bb_per_100, bb_per_100_low, bb_per_100_high
from winnings
order by sum(hands) over (partition by event, game) desc, event, game, chips desc, player, seat
