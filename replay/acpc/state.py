"""The data of the ACPC kernels: definitions as records, scratch for a hand, and the report of findings."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle, new_record
from ...jit.compile import rare
from ...parsers.acpc_game import MAX_PLAYERS, MAX_ROUNDS, Definition
from ...parsers.scanner import DECIMALS
from .. import betting as b
from .. import findings
from ..findings import NO_EXPLANATION
from ..records import USED_SIZE

NONE: Final = -1
PARTS: Final = 10**DECIMALS
"""A printed decimal (`grammar`: `{d}`) is an integer of so many parts of one."""

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
        ("game", "i8"),  # row of the definitions, NONE if it is not known
        ("players", "i8"),
        ("seating", "i8"),  # ROTATING, FIXED, NAMED
        ("first_number", "i8"),  # of a match's first hand
        ("gaps", "i8"),  # 1 if hands may be missing: a number that is skipped is no finding
        ("restated", "i8"),  # 1 if lines say more than the dealer's (`parsers.acpc_lines`)
        ("owners", "i8"),  # mask of the seats whose cards are always printed; 0: all are
        ("profile", "i8"),  # number of the game's profile
        ("all_in_checks", "i8"),  # what explains a finding of ALL_IN_CHECKS (`Game.explained_by`)
        ("noted", "i8"),  # the same for NOTED
        ("seed", "i8"),
        ("hands_due", "i8"),
        ("cut", "i8"),  # 1 if the text ends without a line end
        ("first_name", "i8"),
        ("wrong_seed", "i8"),  # the header's, which deals no hand
        ("last_event", "i8"),  # where to stop, NONE: at the match's end
    ]
)
"""Facts about a match known before the replay; NONE if unknown."""

ROTATING, FIXED, NAMED = range(3)
"""The seat in a hand's first position: the next one in each hand, always the first, or the one named first."""

LINE_PARTS: Final = np.dtype(
    [
        ("restated", "i8"),  # as in SETTINGS
        ("owned", "i8"),  # 1 if the match has owners
        ("bets", "i8"),
        ("bets_end", "i8"),
        ("cards", "i8"),
        ("cards_end", "i8"),
        ("results", "i8"),
        ("results_end", "i8"),
        ("more", "i8"),  # the numbers in brackets after the results
        ("more_end", "i8"),
        ("names", "i8"),
        ("line_end", "i8"),
    ]
)
"""Offsets of the parts of a hand's line (`lines.split`)."""

BETS: Final = np.dtype(
    [
        *b.FIELDS,
        ("shown_down", "i8"),  # 1 if the hand ends with more than one player
        ("broken", "i8"),  # 1 if the betting does not fit the rounds
        ("open", "i8"),  # 1 if the log, one player's own, ends before the hand's betting does
        *b.BY_PLAYER,
    ]
)
"""The betting of a hand, by position."""

SO_FAR: Final = np.dtype(
    [
        ("last_number", "i8"),  # of the hand before, NONE before the first
        ("hands_dealt", "i8"),  # by the seed
        ("hands_skipped", "i8"),  # those of them that the log lacks
        ("gap", "i8"),  # 1 if hands are missing
        ("marker_line", "i8"),  # of a merge marker that no finding names yet, 0 none
        ("finished", "i8"),  # 1 once a hand has been played to its end, in a match with owners
        ("checks_after", "i8"),  # 1 if checks were printed after a called all-in
    ]
)
"""State of a match across hands."""


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
    more       (3,) float64: the first position's luck-adjusted result, the same by its parts, 1 for a note
    used       `Sheets.used` before the hand, in a match with owners
    sums       (3, 10) float64 by seat, over the match so far: squared results, luck-adjusted results, these squared
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
    more: NDArray[np.float64]
    sums: NDArray[np.float64]
    used: NDArray[np.int64]


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
        more=np.zeros(3),
        sums=np.zeros((3, MAX_PLAYERS)),
        used=np.zeros(USED_SIZE, np.int64),
    )


PLACE: Final = np.dtype([("hand", "i8"), ("line", "i8")])
"""The row of the hand and the line that findings are about."""


@bundle
class Report(NamedTuple):
    """The destination of findings: rows of `records.FINDING`, `Sheets.used`, and PLACE."""

    rows: NDArray[np.void]
    used: NDArray[np.int64]
    place: np.void


def new_report(rows: NDArray[np.void], used: NDArray[np.int64]) -> Report:
    """A report that fills rows."""
    return Report(rows, used, new_record(PLACE))


@rare
def find(
    report: Report, seat: int, rule: int, expected: float, logged: float, explained: int = NO_EXPLANATION
) -> None:
    """Write a finding; the rows have room for every possible one. explained: as in `records.FINDING`."""
    hand, line = report.place["hand"], report.place["line"]
    row = findings.find(report.rows, report.used, hand, line, seat, rule, expected, logged)
    report.rows[row]["explained"] = explained
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
    """DEFINITION; read-only."""
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
