select event, game, reset from entrants
