"""The letters of a card: its rank, then its suit."""

from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
