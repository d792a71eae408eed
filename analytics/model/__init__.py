"""Models of players: the table of decisions, what is fitted to it, and the module that a bot loads."""
