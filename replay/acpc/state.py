"""What the ACPC kernels work on: definitions as records, scratch for a hand, and where findings go."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...jit.compile import rare
from ...jit.records import new_record
from ...parsers.acpc_game import MAX_PLAYERS, MAX_ROUNDS, Definition
from .. import betting as b
from .. import findings

NONE: Final = -1

DEFINITION: Final = np.dtype(
    [
        ("players", "i8"),
        ("rounds", "i8"),
        ("nolimit", "i8"),
        ("hole_cards", "i8"),
        ("big_blind", "i8"),
        ("bet_level", "i8"),  # `ACTION.level` as a hand begins
        ("has_stacks", "i8"),
        ("first_suit", "i8"),  # of the deck's cards
        ("first_rank", "i8"),
        ("cards_dealt", "i8"),  # in a hand, on all rounds
        ("even_stacks", "i8"),  # all positions begin a hand with as much, or without a limit
        ("stack", "i8", (MAX_PLAYERS,)),  # by position
        ("blind", "i8", (MAX_PLAYERS,)),
        ("raise_size", "i8", (MAX_ROUNDS,)),  # by round
        ("first_to_act", "i8", (MAX_ROUNDS,)),
        ("max_raises", "i8", (MAX_ROUNDS,)),
        ("raise_cap", "i8", (MAX_ROUNDS,)),
        ("board_cards", "i8", (MAX_ROUNDS,)),
    ]
)
"""A game's rules."""

SETTINGS: Final = np.dtype(
    [
        ("game", "i8"),  # row of the definitions, NONE where it is not known
        ("players", "i8"),
        ("fixed", "i8"),  # 1 where seats do not rotate
        ("seed", "i8"),
        ("hands_due", "i8"),
        ("cut", "i8"),  # 1 where the text ends without a line end
        ("first_name", "i8"),
        ("wrong_seed", "i8"),  # the header's, which deals no hand
        ("last_event", "i8"),  # where to stop, NONE: at the match's end
    ]
)
"""Facts about a match that are known before the replay; NONE for an unknown one."""

LINE_PARTS: Final = np.dtype(
    [
        ("bets", "i8"),
        ("bets_end", "i8"),
        ("cards", "i8"),
        ("cards_end", "i8"),
        ("results", "i8"),
        ("results_end", "i8"),
        ("names", "i8"),
        ("line_end", "i8"),
    ]
)
"""Offsets of the parts of a hand's line (`lines.split`)."""

BETS: Final = np.dtype(
    [
        *b.FIELDS,
        ("shown_down", "i8"),  # 1 where the hand ends with more than one player
        ("broken", "i8"),  # 1 where the betting does not fit the rounds
        *b.BY_PLAYER,
    ]
)
"""The betting of a hand, by position."""

SO_FAR: Final = np.dtype(
    [
        ("last_number", "i8"),  # of the hand before, NONE before the first
        ("hands_dealt", "i8"),  # by the seed
        ("gap", "i8"),  # 1 where hands are missing
        ("marker_line", "i8"),  # of a merge marker that no finding names yet, 0 none
    ]
)
"""What outlasts a hand of a match."""


@bundle
class Hand(NamedTuple):
    """Scratch for one hand; by position where it is by player.

    at         LINE_PARTS
    bets       BETS; bets_words: what of it a hand clears
    so_far     SO_FAR
    strength, ended  (10,): how the hand ended (`records`)
    hole       (10, 3) cards; hole_count (10,) as printed
    board      (16,) cards; sections (8,) cards of each round's section
    logged, payout  (10,) float64
    drawn      (64,) cards the seed deals: every hole card by position, then the board
    deck       (52,)
    generator  (625,) `deck.start`
    banks      (10,) float64 by seat, won so far as logged; exact: by the rules
    """

    at: np.void
    bets: np.void
    bets_words: NDArray[np.int64]
    so_far: np.void
    strength: NDArray[np.int64]
    ended: NDArray[np.int64]
    hole: NDArray[np.int64]
    hole_count: NDArray[np.int64]
    board: NDArray[np.int64]
    sections: NDArray[np.int64]
    logged: NDArray[np.float64]
    payout: NDArray[np.float64]
    drawn: NDArray[np.int64]
    deck: NDArray[np.int64]
    generator: NDArray[np.int64]
    banks: NDArray[np.float64]
    exact: NDArray[np.float64]


def new_hand() -> Hand:
    """Scratch, zeroed."""

    def integers(size: int = MAX_PLAYERS) -> NDArray[np.int64]:
        return np.zeros(size, np.int64)

    bets = new_record(BETS)
    return Hand(
        at=new_record(LINE_PARTS),
        bets=bets,
        bets_words=b.words_to_clear(bets),
        so_far=new_record(SO_FAR),
        strength=integers(),
        ended=integers(),
        hole=np.zeros((MAX_PLAYERS, 3), np.int64),
        hole_count=integers(),
        board=integers(16),
        sections=integers(8),
        logged=np.zeros(MAX_PLAYERS),
        payout=np.zeros(MAX_PLAYERS),
        drawn=integers(64),
        deck=integers(52),
        generator=integers(625),
        banks=np.zeros(MAX_PLAYERS),
        exact=np.zeros(MAX_PLAYERS),
    )


PLACE: Final = np.dtype([("hand", "i8"), ("line", "i8")])
"""The row of the hand and the line that findings are about."""


@bundle
class Report(NamedTuple):
    """Where findings go: rows of `records.FINDING`, `Sheets.used`, and PLACE."""

    rows: NDArray[np.void]
    used: NDArray[np.int64]
    place: np.void


def new_report(rows: NDArray[np.void], used: NDArray[np.int64]) -> Report:
    """A report that fills rows."""
    return Report(rows, used, new_record(PLACE))


@rare
def find(report: Report, seat: int, rule: int, expected: float, logged: float) -> None:
    """Write a finding; the rows have room for all that can be found."""
    hand, line = report.place["hand"], report.place["line"]
    row = findings.find(report.rows, report.used, hand, line, seat, rule, expected, logged)
    if rule == findings.AWARD:
        report.rows[row]["chips"] = logged - expected


def rows_of(definitions: Sequence[Definition]) -> NDArray[np.void]:
    """A row of DEFINITION each, at least one."""
    rows = np.zeros(max(len(definitions), 1), DEFINITION)
    for k, definition in enumerate(definitions):
        rows[k] = row_of(definition)
    return rows


@lru_cache(maxsize=64)
def row_of(definition: Definition) -> np.void:
    """DEFINITION; not to be written to."""
    d, row = definition, new_record(DEFINITION)
    row["players"], row["rounds"], row["nolimit"], row["hole_cards"] = (
        d.players,
        d.rounds,
        d.nolimit,
        d.hole_cards,
    )
    row["big_blind"], row["bet_level"] = d.big_blind, not d.antes
    row["has_stacks"], row["first_suit"], row["first_rank"] = d.has_stacks, 4 - d.suits, 13 - d.ranks
    row["cards_dealt"] = d.players * d.hole_cards + sum(d.board_cards)
    row["even_stacks"] = d.even_stacks
    for name, values in (
        ("stack", d.stacks),
        ("blind", d.blinds),
        ("raise_size", d.raise_sizes),
        ("first_to_act", d.first),
        ("max_raises", d.max_raises),
        ("raise_cap", d.raise_caps),
        ("board_cards", d.board_cards),
    ):
        row[name][: len(values)] = values
    return row
