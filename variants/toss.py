"""Toss (2026): each player gives one of three hole cards to the board."""

from typing import Final

from .properties import DECISIONS, Properties

PROPERTIES: Final = Properties(
    game="toss",
    title="Toss",
    hole_cards=3,
    board_cards=(0, 4, 5, 6),
    decisions=(*DECISIONS, "discard"),
    discards=True,
)
