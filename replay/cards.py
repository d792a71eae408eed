"""Cards as numbers and as text.

A card's code is ``rank * 4 + suit``: ranks 0 to 12 for ``23456789TJQKA``, suits 0 to 3 for ``cdhs``; its text
is rank and suit, ``Ah``. Codes fit ``numpy.int8``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
NO_CARD: Final = -1
"""The code of a card that is not there or not known."""

CARD_TEXT: Final[tuple[str, ...]] = tuple(rank + suit for rank in RANKS for suit in SUITS)
"""The 52 texts, by code."""

_CODES: Final = {text: code for code, text in enumerate(CARD_TEXT)}


def parse_card(text: str) -> int:
    """Return the code of one card, ``parse_card("Ah") == 50``; ValueError for any other text."""
    code = _CODES.get(text)
    if code is None:
        raise ValueError(f"not a card: {text!r}")
    return code


def parse_cards(text: str) -> list[int]:
    """Return the codes of cards in a row, ``"AhKd"`` or ``"Ah Kd"``; ValueError names the misfit."""
    return [parse_card(word[at : at + 2]) for word in text.split() for at in range(0, len(word), 2)]


def card_text(code: int) -> str:
    """Return the text of a code from 0 to 51; ValueError for any other, `NO_CARD` included."""
    if not 0 <= code < len(CARD_TEXT):
        raise ValueError(f"not a card code: {code}")
    return CARD_TEXT[code]


def card_texts(codes: Iterable[int]) -> list[str]:
    """Return the texts of `codes` in their order, leaving out `NO_CARD` (arrays pad with it)."""
    return [card_text(code) for code in codes if code != NO_CARD]
