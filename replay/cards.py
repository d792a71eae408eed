"""Cards as numbers and as text.

A card's code is ``rank * 4 + suit``, by their places in RANKS and SUITS; its text is rank and suit, ``Ah``. Codes fit
``numpy.int8``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ..schema.words import CARDS
from ..schema.words import RANKS as RANKS
from ..schema.words import SUITS as SUITS

DIAMONDS, HEARTS = RED_SUITS = SUITS.index("d"), SUITS.index("h")

NO_CARD: Final = -1
"""The code of a card that is not there or not known."""

CARD_TEXT: Final = CARDS[: len(RANKS) * len(SUITS)]
"""The 52 texts, by code."""

CARD_CODE: Final = {text: code for code, text in enumerate(CARD_TEXT)}
"""The 52 codes, by text."""


def card_text(code: int) -> str:
    """Return the text of a code from 0 to 51; ValueError for any other, `NO_CARD` included."""
    if not 0 <= code < len(CARD_TEXT):
        raise ValueError(f"not a card code: {code}")
    return CARD_TEXT[code]


def card_texts(codes: Iterable[int]) -> list[str]:
    """Return the texts of `codes` in their order, leaving out `NO_CARD` (arrays pad with it)."""
    return [card_text(code) for code in codes if code != NO_CARD]
