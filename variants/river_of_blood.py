"""River of Blood Hold'em (2023): after a red river card more streets follow."""

from typing import Final

from .properties import Properties

PROPERTIES: Final = Properties(game="river-of-blood", title="River of Blood", runs=True)
