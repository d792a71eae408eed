"""Games of two or more in turn whose logs print whole pots: betting, discards, returned bets, side pots."""
