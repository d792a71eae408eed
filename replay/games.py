"""What a game is to replay: data from its rules document, its deviations and engine profiles."""

from dataclasses import dataclass, field
from typing import Final

from ..schema.words import STREETS

HOLDEM_STREETS: Final = STREETS
HOLDEM_BOARDS: Final = (0, 3, 4, 5)

UNEXPLAINED: Final = 255
"""A byte of `records.FINDING`'s `explained`: the profile does not explain it."""

# What kernels have room for.
MOST_PROFILES: Final = 8
"""A finding's `explained` has a byte for each."""
MOST_DEVIATIONS: Final = 7
"""Bits of such a byte that are not UNEXPLAINED even where all are set."""
MOST_STREETS: Final = 8
"""Of the deal."""
MOST_HOLE_CARDS: Final = 4
"""With one that is won in an auction."""


@dataclass(frozen=True)
class Deviation:
    """Something an engine does that the written rules do not say.

    name     `game.what`
    kind     pay, legality or log
    since    date of the first engine that does it, "" where any may
    until    date of the first that no longer does, "" where all do
    effect   one sentence
    """

    name: str
    kind: str
    since: str
    until: str
    effect: str


@dataclass(frozen=True)
class Profile:
    """An engine revision: its date, the deviations in force, which optional lines its logs have.

    stack is that of the game where it is 0.
    """

    name: str
    deviations: tuple[str, ...] = ()
    prints: frozenset[str] = frozenset()
    stack: float = 0


@dataclass(frozen=True)
class Game:
    """A set of rules.

    name, code         as in the store; the code that kernels branch on
    stack, blinds      chips
    streets            names by street number
    players            the fewest and the most that play
    source             the rules document, or where the behaviour is taken from
    deviations         at most MOST_DEVIATIONS; a deviation's bit is its place
    profiles           oldest first, at most MOST_PROFILES

    Of the heads-up family:

    boards             cards on the board by street
    runs               after the last street go on, a card a street, until a black one is dealt
    hole_cards         dealt to each player
    permutes           cards are printed twice, as dealt and as they count
    changes            the hole cards may change after flop and turn, where they are printed again
    auctions           both players bid for one more card when the flop is dealt
    discards           when the flop is dealt first the dealer's opponent, then he discards a hole card onto the board
    free_folds         a fold is legal where a check is free
    until_red          a game whose logs are the same until a river card is red, "" for none
    bets_ev            how the engine gets the sums that it prints as bets EV (`heads_up.bets_ev`), "" for none

    Raises ValueError where it has more of something than kernels have room for, or a profile a deviation that the game
    has not.
    """

    name: str
    code: int
    stack: float
    blinds: tuple[float, ...]
    streets: tuple[str, ...]
    source: str
    deviations: tuple[Deviation, ...] = ()
    profiles: tuple[Profile, ...] = field(default=(Profile("written"),))
    players: tuple[int, int] = (2, 2)
    boards: tuple[int, ...] = HOLDEM_BOARDS
    runs: bool = False
    hole_cards: int = 2
    permutes: bool = False
    changes: bool = False
    bets_ev: str = ""
    auctions: bool = False
    discards: bool = False
    free_folds: bool = False
    until_red: str = ""

    def __post_init__(self) -> None:
        for count, most, what in (
            (len(self.profiles), MOST_PROFILES, "engine profiles"),
            (len(self.deviations), MOST_DEVIATIONS, "deviations"),
            (len(self.boards), MOST_STREETS, "streets"),
            (self.hole_cards + self.auctions, MOST_HOLE_CARDS, "hole cards"),
        ):
            if count > most:
                raise ValueError(f"{self.name} has {count} {what}, there is room for {most}")
        names = {deviation.name for deviation in self.deviations}
        if unknown := sorted({name for profile in self.profiles for name in profile.deviations} - names):
            raise ValueError(f"a profile of {self.name} has deviations that are not among its own: {unknown}")

    def stack_of(self, profile: Profile) -> float:
        """Chips in front of each player as a hand begins, under an engine profile."""
        return profile.stack or self.stack

    def place(self, deviation: str) -> int:
        """Where a deviation stands in the list."""
        return [d.name for d in self.deviations].index(deviation)

    def mask(self, names: tuple[str, ...]) -> int:
        """The bit mask of some of the game's deviations."""
        return sum(1 << self.place(name) for name in names)

    def explained_by(self, deviation: str) -> int:
        """What `records.FINDING` holds for a finding that one deviation explains: a byte a profile."""
        masks = (self.mask((deviation,)) if deviation in p.deviations else UNEXPLAINED for p in self.profiles)
        return int.from_bytes(bytes(masks), "little", signed=True)
