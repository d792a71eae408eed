"""The result of a replay, the same for every family of games."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .games import Game

if TYPE_CHECKING:
    from ..parsers.reading import Scanned

LINE_UNKNOWN, LINE_STRAY, LINE_REJECTED, LINE_LOST, LINE_BEHEADED = 1, 2, 3, 4, 5
"""Notes on a line: no template accepts it; it is outside every hand; its hand was rejected; no template accepts it, and
its hand has no other line; it is the first of a hand whose beginning is missing."""

NOT_PAID = "the log ends before the hand is paid"
FOREIGN = "no game that railbird knows: {} cards dealt to each player in every hand, {} has {}"

Tables = dict[str, tuple[pa.Table, NDArray[np.int32]]]
"""Tables by name (`schema.columns`), and for each row the place of its match among those replayed together."""


@dataclass(frozen=True)
class MatchInfo:
    """Facts about a match besides its events: its id, its file's id, its players, the line above its body."""

    match_id: int
    file_id: int
    players: tuple[str, ...]
    line_base: int


@dataclass(frozen=True)
class Rejected:
    """A rejected hand: its line in the match's body, from 1, and the reason."""

    line: int
    reason: str


@dataclass(frozen=True)
class Outcome:
    """The result of a match's replay.

    hands        hands to be stored
    last_event   the event whose line closes the last of them, -1 if there is none
    complete     the log ends like that of a finished match
    profile      the engine profile that leaves fewest hands unexplained; profiles: all that leave as few
    columns      further columns of `matches` by name: starting_stacks, blinds, unit, logged_final, seed, buy_in ...
    rejected     hands that are not stored
    fits         another game that also fits the log, "" for none
    foreign      why it is of no game that railbird knows; nothing of it is stored. "" if it may be of a known one
    """

    hands: int
    last_event: int
    complete: bool
    profile: str
    profiles: tuple[str, ...]
    columns: dict[str, Any]
    rejected: Sequence[Rejected] = field(default_factory=tuple)
    fits: str = ""
    foreign: str = ""


class Windows(Protocol):
    """The rows of matches that were replayed together, in windows of hands; may be iterated repeatedly.

    With windows, long matches take as much memory as short ones: all rows of the longest at once took a gigabyte.
    """

    def windows(self) -> Iterator[Tables]:
        """At least one window. Tables of ROW_GROUP rows or more point into the pool until the next window."""


class Replayed(Protocol):
    """The matches of one game that were replayed together; its arrays belong to the pool it was made with."""

    @property
    def game(self) -> Game:
        """The rules."""

    @property
    def notes(self) -> NDArray[np.uint8]:
        """One a line event: LINE_UNKNOWN, LINE_STRAY, LINE_REJECTED, LINE_LOST, LINE_BEHEADED, or 0."""

    def outcome(self, place: int) -> Outcome:
        """What was found of a match."""

    def tables(self, scanned: "Scanned", infos: Sequence[MatchInfo]) -> Windows:
        """The rows of the matches: hands, seats, actions, faults, findings, and what the game adds.

        infos has an entry a match.
        """
