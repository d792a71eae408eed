"""The heads-up no-limit family: betting, the lines of a hand, its settling, and the walk over a match's events."""
