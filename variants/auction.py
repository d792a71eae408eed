"""Auction (2024): when the flop is dealt both players bid for one more card."""

from typing import Final

from .properties import DECISIONS, Properties

PROPERTIES: Final = Properties(game="auction", title="Auction", decisions=(*DECISIONS, "bid"), auctions=True)
