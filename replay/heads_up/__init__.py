"""The heads-up no-limit family: betting, the lines of a hand, its payout, and the pass over a match."""
