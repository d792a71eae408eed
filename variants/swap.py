"""Swap Hold'em (2022): hole cards may be exchanged after flop and turn."""

from typing import Final

from .properties import Properties

PROPERTIES: Final = Properties(game="swap", title="Swap", swaps=True)
