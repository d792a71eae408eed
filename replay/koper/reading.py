"""A match while it is read: the rows that its lines fill, and the stage of the open game."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.bundles import bundle
from ...jit.compile import part
from .. import findings as rules
from . import layout as at
from .picking import pick

Floats = NDArray[np.float64]

# How far a game has come.
CLOSED, OPENED, DEALING, DEALT, FLOP, TURN, RIVER, SHOWING, RECEIVING, STACKS, AFTER, OVER, STANDINGS = range(
    13
)

# What `now` holds.
(
    MATCH,
    VERSION,
    STAGE,
    GAME,
    FIRST_EVENT,
    FIRST_FINDING,
    CURSOR,
    COUNTED,
    OPEN_SEAT,
    DECIDED,
    VISIBLE,
    LOST,
    MISSED,
    NOW_SIZE,
) = range(14)
"""The match and its engine; how far its game has come, the game's row (-1: none yet), its first event and finding; the
seat from which the next is due, stacks read, the seat whose line another ends (-1: none), whether anybody has chosen on
the flop, rounds whose board was shown; a bit a seat: who is out of the match, who was missed when cards were dealt."""


@bundle
class Reading(NamedTuple):
    """A match that is read.

    text     (bytes,) what values point into
    values   (values,) the events' values
    same     (matches, 10) int64: the seats that each name of a match can mean, the letters' after the names'
    games    (games, GAME_SIZE), seats (games * 5, SEAT_SIZE), matches (matches, MATCH_SIZE): rows of `layout`, out
    finds    out: findings; used: how many games and findings there are
    rough    (5,) each seat's chips by a rough count
    now      (NOW_SIZE,) int64
    """

    text: NDArray[np.uint8]
    values: NDArray[np.int64]
    same: NDArray[np.int64]
    games: Floats
    seats: Floats
    matches: Floats
    finds: NDArray[np.void]
    used: NDArray[np.int64]
    rough: Floats
    now: NDArray[np.int64]


@part
def row_of(reading: Reading, seat: int) -> int:
    """The row of a seat of the game that is read."""
    row: int = reading.now[GAME] * at.PLAYERS + seat
    return row


@part
def chips(reading: Reading, here: int) -> float:
    """A decimal that the scanner read."""
    amount: float = reading.values[here] * at.TEN_THOUSANDTHS
    return amount


@part
def find(
    reading: Reading, game: int, line: float, seat: int, rule: int, expected: float, logged: float
) -> int:
    """Write a finding of a game; returns its row."""
    return rules.find(reading.finds, reading.used, game, int(line), seat, rule, expected, logged)


@part
def differs(reading: Reading, line: float, seat: int, rule: int, expected: float, logged: float) -> None:
    """A line contradicts the rules."""
    find(reading, reading.now[GAME], line, seat, rule, expected, logged)


@part
def in_turn(reading: Reading, line: float, seat: int, rule: int) -> None:
    """A line names a seat: seats are named in ascending order."""
    if seat < reading.now[CURSOR]:
        differs(reading, line, seat, rule, float(reading.now[CURSOR]), float(seat))
    reading.now[CURSOR] = seat + 1


@part
def damage(reading: Reading, line: float, rule: int, logged: float) -> None:
    """Lines of the game contradict each other."""
    game = reading.games[reading.now[GAME]]
    expected = game[at.G_NUMBER] if rule == rules.SEQUENCE else np.nan
    find(reading, reading.now[GAME], line, -1, rule, expected, logged)
    game[at.G_DAMAGED] = 1


@part
def named(reading: Reading, name: int, state: int, column: int, first: int) -> int:
    """The first seat that a name can mean, in a state and with nothing in a column yet; -1: none.

    Seats from `first` on come before the others. A player who is out of the match is dealt no more cards.
    """
    mask = reading.same[reading.now[MATCH], reading.values[name]]
    if state == at.ABSENT:
        mask &= ~reading.now[LOST]
    return pick(reading.seats, row_of(reading, 0), mask, first, state, column)
