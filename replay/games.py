"""What a game is to replay: data from its rules document, its deviations and engine profiles."""

from dataclasses import dataclass, field
from typing import Final


@dataclass(frozen=True)
class Deviation:
    """Something an engine does that the written rules do not say.

    name     `game.what`
    kind     pay, legality or log
    since    date of the first engine that does it; until: of the first that no longer does, "" where all do
    effect   one sentence
    """

    name: str
    kind: str
    since: str
    until: str
    effect: str


@dataclass(frozen=True)
class Profile:
    """An engine revision: its date, the deviations in force, and which optional lines its logs have."""

    name: str
    deviations: tuple[str, ...] = ()
    prints: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Game:
    """A set of rules.

    name, code         as in the store; the code that kernels branch on
    stack, blinds      chips
    streets            names by street number
    source             the rules document, or where the behaviour is taken from
    deviations         at most 7; a deviation's bit is its place
    profiles           oldest first, at most 8
    """

    name: str
    code: int
    stack: float
    blinds: tuple[float, ...]
    streets: tuple[str, ...]
    source: str
    deviations: tuple[Deviation, ...] = ()
    profiles: tuple[Profile, ...] = field(default=(Profile("written"),))

    def mask(self, names: tuple[str, ...]) -> int:
        """The bit mask of some of the game's deviations."""
        order = [d.name for d in self.deviations]
        return sum(1 << order.index(name) for name in names)


HOLDEM_STREETS: Final = ("preflop", "flop", "turn", "river")
