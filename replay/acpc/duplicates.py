"""Matches that share their cards: the same deck dealt to other seatings of the same players."""

from collections.abc import Sequence
from itertools import islice
from typing import Final

import numpy as np
import xxhash
from numpy.typing import NDArray

from ...parsers.acpc_game import Definition
from . import state as s
from .cards import hands_dealt
from .definitions import HANDS_COMPARED, HANDS_DEALT
from .state import Hand

_MOST_SEATED: Final = 7
"""Seatings of more players do not fit the column."""


def first_cards(
    numbers: NDArray[np.int64],
    holes: Sequence[bytes],
    definition: Definition | None,
    seed: int | None,
    hand: Hand,
) -> bytes:
    """Numbers and hole cards by position of a match's first hands.

    numbers, holes  of the hands stored, at most HANDS_COMPARED
    """
    said = [b"%d:%b" % (number, cards) for number, cards in zip(numbers.tolist(), holes, strict=True)]
    missing = HANDS_COMPARED - len(said)
    first = int(numbers[-1]) + 1 if len(numbers) else HANDS_DEALT
    if missing and definition is not None and seed is not None and first < HANDS_DEALT:
        game = s.row_of(definition)
        out = np.zeros((missing, int(game["cards_dealt"])), np.int64)
        hands_dealt(game, seed, first, out, hand)
        dealt = out[:, : definition.players * definition.hole_cards].astype(np.int8)
        said += [b"%d:%b" % (first + k, cards.tobytes()) for k, cards in enumerate(dealt)]
    return b"/".join(said)


def card_set(game: str, players: int, cards: bytes) -> int:
    """The key of matches whose cards, by position, are the same; of one game."""
    return xxhash.xxh3_64_intdigest(f"{game} {players} ".encode() + cards)


def duplicate_group(cards: int, names: Sequence[bytes], fixed: bool) -> int:
    """The key of matches of one card set between the same players; rotating seats and fixed ones stay apart."""
    said = b"\n".join((b"%d" % cards, b"fixed" if fixed else b"", *sorted(names)))
    return xxhash.xxh3_64_intdigest(said)


def seating(names: Sequence[bytes]) -> int | None:
    """The number of a seating among all of the same players, from 0: in the order of the names by seat."""
    if len(names) > _MOST_SEATED:
        return None
    number, left = 0, sorted(names)
    for name in islice(names, len(names) - 1):
        number = number * len(left) + left.index(name)
        left.remove(name)
    return number
