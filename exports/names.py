"""Players' names in formats that give some characters a meaning of their own."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

_PLACEHOLDER: Final = "player"
CHANGED: Final = "names that the format cannot hold"


@dataclass(frozen=True)
class Called:
    """What the players of a match are called, by seat, and whose names are not their own."""

    names: tuple[str, ...]
    changed: frozenset[int]

    def notes(self, seats: Iterable[int]) -> tuple[str, ...]:
        """The note of a hand in which some of them play."""
        return (CHANGED,) if self.changed.intersection(seats) else ()


class Names:
    """Names without what a format cannot have in them, and no two alike unless they are so in the log.

    replaced  what becomes an underscore
    distinct  equal names are told apart by their seat as well
    """

    def __init__(self, replaced: re.Pattern[str], distinct: bool = False) -> None:
        """For one format."""
        self.replaced, self.distinct = replaced, distinct

    def of(self, players: Sequence[str]) -> Called:
        """The names of a match's players."""
        names: list[str] = []
        for seat, player in enumerate(players):
            name = " ".join(self.replaced.sub("_", player).split()) or _PLACEHOLDER
            own = {other for k, other in enumerate(names) if self.distinct or players[k] != player}
            while name in own or (name != player and name in players):
                name = f"{name}_{seat + 1}"
            names.append(name)
        changed = frozenset(k for k, (a, b) in enumerate(zip(names, players, strict=True)) if a != b)
        return Called(tuple(names), changed)
