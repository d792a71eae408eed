"""The letters of a card: its rank, then its suit."""

from ..schema.words import RANKS as RANKS
from ..schema.words import SUITS as SUITS
