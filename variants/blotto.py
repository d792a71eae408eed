"""Blotto Hold'em (2021): six cards are assigned to three boards, each of which is a pot of its own."""

from typing import Final

from .properties import DECISIONS, Properties

PROPERTIES: Final = Properties(
    game="blotto",
    title="Blotto",
    boards=3,
    hole_cards=6,
    decisions=("assign", *DECISIONS),
    free_chips=(1.0, 2.0, 3.0),
    cluster="hand",
)
