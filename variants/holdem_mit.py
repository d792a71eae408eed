"""Plain heads-up no-limit hold'em of the MIT Pokerbots base engine."""

from typing import Final

from .properties import Properties

PROPERTIES: Final = Properties(game="holdem-mit", title="hold'em")
