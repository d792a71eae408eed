"""What the formats share: the hands that they write, as rows of the relations, and names."""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple

from ..replay.findings import HIDDEN_HANDS, NO_RESULT, RULES
from ..variants.properties import Properties

Chips = float | int
Cards = tuple[str | None, ...]

DAMAGED: Final = "damaged: the log contradicts itself"
CHANGED: Final = "names that the format cannot hold"
_PLACEHOLDER: Final = "player"
_OPEN: Final = frozenset({RULES[NO_RESULT].name, RULES[HIDDEN_HANDS].name})
"""Rules for which a hand is unverified though its betting was checked: nobody knows who should have won."""
_FIRST: Final = datetime(2000, 1, 1, tzinfo=UTC)


class CannotHold(Exception):
    """A format cannot hold a hand; the message is the reason, in the same words for all hands of a kind."""


class Action(NamedTuple):
    """A row of `actions`. Chips are as there."""

    seq: int
    board_no: int | None
    street: int
    seat: int
    action: str
    origin: str
    amount_logged: float | None
    amount_to: float | None
    chips_added: float | None
    to_call: float
    pip_before: float
    pot_before: float | None
    stack_before: float | None
    min_raise_to: float | None
    max_raise_to: float | None
    bet_level: int

    @property
    def played(self) -> bool:
        """Not a forced post, a filler of the log, or a check of a player without chips."""
        if self.origin == "substitute" and self.action == "check":
            return self.stack_before != 0
        return self.origin in ("choice", "substitute")


class Seat(NamedTuple):
    """A row of `seats`."""

    seat: int
    player: str
    position: str
    hole: Cards
    hole_final: Cards
    stack_start: float | None
    contribution: float | None
    delta: float | None
    delta_written: float | None
    shown: bool


class Seen(NamedTuple):
    """A row of `visible`: what a seat had learned."""

    viewer_seat: int
    item: str
    seat: int | None
    board_no: int | None
    from_street: int
    from_seq: int
    cards: Cards | None
    value: str | None


@dataclass(frozen=True)
class Match:
    """A row of `matches`, and the properties of its game.

    blinds_by_position, raise_sizes, raise_caps  of games that definitions make, else None
    cards  equal in matches that are dealt the same cards (the view card_sequences)
    """

    match_id: int
    event: str
    players: tuple[str, ...]
    hands: int
    starting_stacks: tuple[float, ...] | None
    blinds: tuple[float, ...] | None
    unit: float | None
    seed: int | None
    complete: bool | None
    cards: str
    blinds_by_position: tuple[float, ...] | None
    raise_sizes: tuple[float, ...] | None
    raise_caps: tuple[int, ...] | None
    rules: Properties


@dataclass(frozen=True)
class Hand:
    """A hand of a match: a row of `hands`, and those of `seats`, `actions`, `visible` and `boards`.

    second_board    a second one was dealt, of which the store has no cards
    why_unverified  the rules that leave the verdict open, and of a hand without rules the reason as a sentence
    seen    only for the formats that ask for it
    boards  by board_no, the board's cards, of games of several boards
    """

    match: Match
    hand_index: int
    hand_no: int | None
    dealer_seat: int | None
    streets: int
    ended_by: str | None
    board: Cards | None
    verdict: str
    board_changed: bool
    rake: float | None
    second_board: bool
    why_unverified: tuple[str, ...]
    seats: tuple[Seat, ...]
    actions: tuple[Action, ...]
    seen: tuple[Seen, ...] = ()
    boards: Mapping[int, Cards] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """MATCH#HAND, as commands name it."""
        return f"{self.match.match_id}#{self.hand_index}"

    @property
    def begun(self) -> datetime:
        """A time for formats that ask for one, in the order of the match: logs have none, each hand has a minute."""
        return _FIRST + timedelta(minutes=self.hand_index)


class Text(NamedTuple):
    """A piece of a file: what is written, and how many hands it holds.

    path   below the folder of the export; a piece of a path that has been written is added to the file
    notes  what was written otherwise than the store has it, such as a name that the format cannot hold
    """

    path: str
    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Options:
    """What the user chose.

    hero  the player whose hole cards alone are written before they are shown; None: everybody's
    """

    hero: str | None = None


class Format(ABC):
    """A format: `begin` a match, write each hand, `end` the match. A hand that it cannot hold raises CannotHold."""

    sees = False
    """Whether it asks for what each player had seen."""

    def __init__(self, options: Options) -> None:
        """For one export."""
        self.options = options

    def begin(self, match: Match) -> None:  # noqa: B027 - most formats have nothing to do
        """A match begins; its hands follow in order."""

    @abstractmethod
    def write(self, hand: Hand) -> Iterator[Text]:
        """The text of a hand."""

    def end(self, match: Match) -> Iterator[Text]:
        """What a format writes next to or after the hands of a match."""
        yield from ()


def plain(chips: float | None) -> Chips | None:
    """Chips as an integer where they are whole."""
    return int(chips) if chips is not None and float(chips).is_integer() else chips


def check_sound(hand: Hand) -> None:
    """CannotHold for a hand whose verdict leaves open what happened."""
    if hand.verdict == "damaged":
        raise CannotHold(DAMAGED)
    if hand.verdict == "unverified" and not set() < {*hand.why_unverified} <= _OPEN:
        said = next((why for why in hand.why_unverified if " " in why), "it could not be checked")
        raise CannotHold(f"unverified: {said}")
    if hand.verdict == "violation":
        raise CannotHold("violation: the log breaks the rules")


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
