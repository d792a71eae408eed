"""The heads-up no-limit family: betting, the lines of a hand, settling it, the walk over a match."""
