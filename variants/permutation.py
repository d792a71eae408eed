"""Permutation Hold'em (2020): the ranks count as other ranks in a secret order."""

from typing import Final

from .properties import Properties

PROPERTIES: Final = Properties(game="permutation", title="Permutation", permutes=True)
