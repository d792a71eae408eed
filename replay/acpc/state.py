"""What the ACPC kernels work on: definitions as rows of integers, scratch for a hand, the tables they fill."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...parsers.acpc_game import MAX_PLAYERS, MAX_ROUNDS, Definition

# A definition as a row of int64.
(
    PLAYERS,
    ROUNDS,
    NOLIMIT,
    HOLES,
    BIG_BLIND,
    BET_LEVEL,
    HAS_STACKS,
    FIRST_SUIT,
    FIRST_RANK,
    DEALT,
    EVEN,  # all positions begin a hand with as much, or without a limit
) = range(11)
# Then what it has by position, and by round.
STACK: Final = EVEN + 1
BLIND: Final = STACK + MAX_PLAYERS
RAISE_SIZE: Final = BLIND + MAX_PLAYERS
FIRST: Final = RAISE_SIZE + MAX_ROUNDS
MAX_RAISES: Final = FIRST + MAX_ROUNDS
RAISE_CAP: Final = MAX_RAISES + MAX_ROUNDS
BOARD: Final = RAISE_CAP + MAX_ROUNDS
DEFINITION_SIZE: Final = BOARD + MAX_ROUNDS

# A match's settings, int64.
(GAME, SEATS, FIXED, SEED, HANDS_DUE, CUT, FIRST_NAME, SEED_IS_WRONG, LAST_EVENT) = range(9)
SETTINGS_SIZE: Final = 9
NONE: Final = -1

# Offsets of a hand's line (`lines.split`).
(BETS, BETS_END, CARDS, CARDS_END, RESULTS, RESULTS_END, NAMES, LINE_END) = range(8)

# How far `betting` is in a hand: `Hand.facts`.
(
    TURN,  # the seat of the first position
    ROUND,
    SEQ,  # actions of the hand so far, blinds with them
    POT,
    MOST,  # chips that a player has put in
    MINIMUM,  # least total of a no-limit raise
    LEVEL,  # as `ACTION`
    AGGRESSOR,
    RAISES,  # of the round
    ACTIONS,
    CALLED,  # who can act and has put in as much as anybody
    ACTING,  # who can act
    FOLDED_COUNT,
    SHOWN_DOWN,  # 1 where the hand ends with more than one player
    BROKEN,  # 1 where the betting does not fit the rounds
) = range(15)
FACTS: Final = 15

# What outlasts a hand of a match: `Hand.so_far`.
(
    LAST_NUMBER,  # of the hand before, NONE before the first
    DEALT_HANDS,  # by the seed
    GAP,  # 1 where hands are missing
    MARKED,  # line of a merge marker of which no hand has told, 0 none
) = range(4)


@bundle
class Hand(NamedTuple):
    """Scratch for one hand; by position where it is by player.

    at         (8,) offsets of the line's parts
    facts      (15,) how far the betting is
    so_far     (4,) what outlasts a hand
    spent      (10,) chips put in; begun: when the round began
    folded, strength, ended  (10,): how the hand ended (`records`)
    hole       (10, 3) cards; hole_count (10,) as printed
    board      (16,) cards; sections (8,) cards of each round's section
    logged, payout  (10,) float64
    drawn      (64,) cards the seed deals: every hole card by position, then the board
    deck       (52,)
    generator  (625,) `deck.start`
    banks      (10,) float64 by seat, won so far as logged; exact: by the rules
    """

    at: NDArray[np.int64]
    facts: NDArray[np.int64]
    so_far: NDArray[np.int64]
    spent: NDArray[np.int64]
    begun: NDArray[np.int64]
    folded: NDArray[np.int64]
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

    return Hand(
        at=integers(8),
        facts=integers(FACTS),
        so_far=integers(4),
        spent=integers(),
        begun=integers(),
        folded=integers(),
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


def rows_of(definitions: Sequence[Definition]) -> NDArray[np.int64]:
    """(definitions, DEFINITION_SIZE) int64, at least one row."""
    rows = np.zeros((max(len(definitions), 1), DEFINITION_SIZE), np.int64)
    for row, definition in zip(rows, definitions, strict=False):
        row[:] = row_of(definition)
    return rows


@lru_cache(maxsize=64)
def row_of(definition: Definition) -> NDArray[np.int64]:
    """(DEFINITION_SIZE,) int64; not to be written to."""
    d, row = definition, np.zeros(DEFINITION_SIZE, np.int64)
    row[PLAYERS], row[ROUNDS], row[NOLIMIT], row[HOLES] = d.players, d.rounds, d.nolimit, d.hole_cards
    row[BIG_BLIND], row[BET_LEVEL] = d.big_blind, not d.antes
    row[HAS_STACKS], row[FIRST_SUIT], row[FIRST_RANK] = d.has_stacks, 4 - d.suits, 13 - d.ranks
    row[DEALT] = d.players * d.hole_cards + sum(d.board_cards)
    row[EVEN] = d.even_stacks
    for start, values in (
        (STACK, d.stacks),
        (BLIND, d.blinds),
        (RAISE_SIZE, d.raise_sizes),
        (FIRST, d.first),
        (MAX_RAISES, d.max_raises),
        (RAISE_CAP, d.raise_caps),
        (BOARD, d.board_cards),
    ):
        row[start : start + len(values)] = values
    return row
