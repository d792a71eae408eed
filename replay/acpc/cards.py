"""The cards that a seed deals, and checks of a hand's cards: their number, the deck, no card twice, the seed's cards.

Matches share their cards if the same deck is dealt to other seatings of the same players.
"""

from collections.abc import Sequence
from itertools import islice
from typing import Final

import numpy as np
import xxhash
from numpy.typing import NDArray

from ...jit.compile import kernel, part
from ...parsers.acpc_game import Definition
from .. import findings
from ..evaluator import strength_of_suits, suit_bit
from . import state as s
from .definitions import HANDS_COMPARED, HANDS_DEALT
from .state import Hand, Report, find


@part
def check_counts(game: np.void, hand: Hand, report: Report, turn: int, owners: int) -> bool:
    """Report wrong numbers of cards; True if all cards for a showdown are known. The rounds played are known.

    owners: as in `state.SETTINGS`
    """
    right = True
    players = game["players"]
    for player in range(players):
        seat = (player + turn) % players
        if owners and not owners >> seat & 1 and hand.hole_count[player] == 0:
            right = right and hand.bets["out"][0, player] > 0
        elif hand.hole_count[player] != game["hole_cards"]:
            find(
                report,
                seat,
                findings.DEAL,
                float(game["hole_cards"]),
                float(hand.hole_count[player]),
            )
            right = False
    if hand.bets["broken"]:
        return right
    sections = hand.sections[0]
    due = dealt = 0
    fits = sections == hand.bets["street"]
    for k in range(1, 8):
        if k <= sections:
            dealt += hand.sections[k]
        if k <= hand.bets["street"]:
            due += game["board_cards"][k]
            fits = fits and hand.sections[k] == game["board_cards"][k]
    if not fits:
        find(report, s.NONE, findings.BOARD_SIZE, float(due), float(dealt))
    return right and fits


@part
def _seen(game: np.void, report: Report, seat: int, card: int, seen: int) -> int:
    if seen >> card & 1:
        find(report, seat, findings.DECK, np.nan, float(card))
    elif card & 3 < game["first_suit"] or card >> 2 < game["first_rank"]:
        find(report, seat, findings.NOT_IN_DECK, np.nan, float(card))
    return seen | 1 << card


@part
def check_deck(game: np.void, hand: Hand, report: Report, players: int, turn: int, dealt: int) -> None:
    """Report cards that are dealt twice or are not in the game's deck."""
    seen = 0
    for player in range(players):
        for k in range(hand.hole_count[player]):
            seen = _seen(game, report, (player + turn) % players, hand.hole[player, k], seen)
    for k in range(dealt):
        seen = _seen(game, report, s.NONE, hand.board[k], seen)


@part
def check_seed(game: np.void, hand: Hand, report: Report, turn: int, dealt: int) -> None:
    """Report, for each player and for the board, the first card that the seed does not deal."""
    players, holes = game["players"], game["hole_cards"]
    for player in range(players):
        for k in range(min(holes, hand.hole_count[player])):
            due = hand.drawn[player * holes + k]
            if hand.hole[player, k] != due:
                find(
                    report, (player + turn) % players, findings.SEED, float(due), float(hand.hole[player, k])
                )
                break
    for k in range(min(dealt, game["cards_dealt"] - players * holes)):
        due = hand.drawn[players * holes + k]
        if hand.board[k] != due:
            find(report, s.NONE, findings.SEED, float(due), float(hand.board[k]))
            break


@part
def compare(hand: Hand, players: int, dealt: int) -> None:
    """Fill `hand.strength` for those who have not folded."""
    common = 0
    for k in range(dealt):
        common |= suit_bit(hand.board[k])
    for player in range(players):
        if hand.bets["out"][0, player]:
            continue
        suits = common
        for k in range(hand.hole_count[player]):
            suits |= suit_bit(hand.hole[player, k])
        hand.strength[player] = strength_of_suits(suits)


_WORDS: Final = 624
_MIDDLE: Final = 397
_ALL: Final = 0xFFFFFFFF
_UPPER: Final = 0x80000000
_LOWER: Final = 0x7FFFFFFF
_MATRIX: Final = 0x9908B0DF


@part
def start(generator: NDArray[np.int64], seed: int) -> None:
    """Seed a generator, (625,): its words, and how many of them are used up."""
    word = seed & _ALL
    generator[0] = word
    for k in range(1, _WORDS):
        word = (1812433253 * (word ^ word >> 30) + k) & _ALL
        generator[k] = word
    generator[_WORDS] = _WORDS


@part
def _twist(generator: NDArray[np.int64]) -> None:
    for k in range(_WORDS):
        following = k + 1 if k + 1 < _WORDS else 0
        other = k + _MIDDLE if k + _MIDDLE < _WORDS else k + _MIDDLE - _WORDS
        word = generator[k] & _UPPER | generator[following] & _LOWER
        generator[k] = generator[other] ^ word >> 1 ^ (_MATRIX if word & 1 else 0)
    generator[_WORDS] = 0


@part
def draw(generator: NDArray[np.int64]) -> int:
    """The next number of 32 bits."""
    if generator[_WORDS] >= _WORDS:
        _twist(generator)
    word = generator[generator[_WORDS]]
    generator[_WORDS] += 1
    word ^= word >> 11
    word ^= word << 7 & 0x9D2C5680
    word ^= word << 15 & 0xEFC60000
    return int(word ^ word >> 18)


@part
def skip(generator: NDArray[np.int64], count: int) -> None:
    """Skip the next numbers."""
    while count > 0:
        if generator[_WORDS] >= _WORDS:
            _twist(generator)
        step = min(count, _WORDS - generator[_WORDS])
        generator[_WORDS] += step
        count -= step


@part
def deal(
    generator: NDArray[np.int64], game: np.void, deck: NDArray[np.int64], drawn: NDArray[np.int64]
) -> None:
    """Draw the next hand's cards (`state.Hand.drawn`)."""
    left = 0
    for suit in range(game["first_suit"], 4):
        for rank in range(game["first_rank"], 13):
            deck[left] = rank * 4 + suit
            left += 1
    for k in range(game["cards_dealt"]):
        place = draw(generator) % left
        left -= 1
        drawn[k] = deck[place]
        deck[place] = deck[left]


@kernel
def find_seed(
    game: np.void, number: int, holes: NDArray[np.int64], first: int, last: int, hand: s.Hand
) -> int:
    """The first seed of first..last whose hand `number` has the given hole cards in the order dealt; -1: none."""
    generator, deck, drawn = hand.generator, hand.deck, hand.drawn
    for seed in range(first, last):
        start(generator, seed)
        skip(generator, number * game["cards_dealt"])
        deal(generator, game, deck, drawn)
        same = True
        for k in range(len(holes)):
            same = same and drawn[k] == holes[k]
        if same:
            return seed
    return s.NONE


@kernel
def hands_dealt(
    game: np.void,
    seed: int,
    number: int,
    out: NDArray[np.int64],
    hand: s.Hand,
) -> None:
    """Fill (hands, DEALT) `out` with the cards that a seed deals from hand `number` on."""
    generator, deck, drawn = hand.generator, hand.deck, hand.drawn
    start(generator, seed)
    skip(generator, number * game["cards_dealt"])
    for row in range(len(out)):
        deal(generator, game, deck, drawn)
        for k in range(game["cards_dealt"]):
            out[row, k] = drawn[k]


_MOST_SEATED: Final = 7
"""Seatings of more players do not fit the column's type."""


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
    """The number of a seating among all orders of the same players, from 0, in the order of the names by seat."""
    if len(names) > _MOST_SEATED:
        return None
    number, left = 0, sorted(names)
    for name in islice(names, len(names) - 1):
        number = number * len(left) + left.index(name)
        left.remove(name)
    return number
