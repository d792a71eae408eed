"""Koper: a buy-in, three capped betting rounds, a cap on winnings; its matches replayed, its deviations named."""
