"""What every family of games hands over after a replay, whatever its kernels look like inside."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from .games import Game

if TYPE_CHECKING:
    from ..parsers.reading import Scanned

LINE_UNKNOWN, LINE_STRAY, LINE_REJECTED, LINE_LOST = 1, 2, 3, 4
"""Notes on a line: no template accepts it; it stands outside every hand; it is of a hand that was left out; no template
accepts it, and its hand has no other line."""

NOT_PAID = "the log ends before the hand is paid"
FOREIGN = "no game that railbird knows: {} cards dealt to each player in every hand, {} has {}"

Tables = dict[str, tuple[pa.Table, NDArray[np.int32]]]
"""Tables by name (`schema.columns`), and for each row the place of its match among those replayed together."""


@dataclass(frozen=True)
class MatchInfo:
    """What is known of a match outside its events: its id, its file's, its players, the line above its body."""

    match_id: int
    file_id: int
    players: tuple[str, ...]
    line_base: int


@dataclass(frozen=True)
class Rejected:
    """A hand that is left out: its line in the match's body, from 1, and why."""

    line: int
    reason: str


@dataclass(frozen=True)
class Outcome:
    """What replay found of a match.

    hands        hands to be stored
    last_event   the event whose line closes the last of them, -1 if there is none
    complete     the log ends as a finished match does
    profile      the engine profile that leaves fewest hands unexplained; profiles: all that leave as few
    columns      further columns of `matches` by name: starting_stacks, blinds, unit, logged_final, seed, buy_in ...
    rejected     hands that are left out
    fits         another game that the log fits as well, "" for none
    foreign      why it is of no game that railbird knows, "" if it may be: nothing of it is stored
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
    """The rows of matches that were replayed together, of some hands after the others, as often as they are asked for.

    A long match and a short one have the same: of all rows at once, tables of the longest took a gigabyte.
    """

    def windows(self) -> Iterator[Tables]:
        """One at least. Tables of ROW_GROUP rows and more point into the pool, until the next ones are made."""


class Replayed(Protocol):
    """The matches of one game that were replayed together; its arrays belong to the pool it was made with."""

    @property
    def game(self) -> Game:
        """The rules."""

    @property
    def notes(self) -> NDArray[np.uint8]:
        """One a line event: LINE_UNKNOWN, LINE_STRAY, LINE_REJECTED, LINE_LOST, or 0."""

    def outcome(self, place: int) -> Outcome:
        """What was found of a match."""

    def tables(self, scanned: "Scanned", infos: Sequence[MatchInfo]) -> Windows:
        """The rows of the matches: hands, seats, actions, faults, findings, and what the game adds.

        infos has an entry a match.
        """
