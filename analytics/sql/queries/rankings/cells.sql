select * from lineup_results
where ($event is null or event = $event) and ($game is null or game = $game)
order by event, game, lineup, player, seat
