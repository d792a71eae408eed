"""Statistics that only one game has, in plain Python over decoded hands: what the game's own views are checked
against. Every function counts (opportunities, successes) by a key."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import ceil, log, log2, sqrt
from typing import Any, NamedTuple

from .walked import Hand, Move

RANKS = "23456789TJQKA"
Rates = dict[tuple[Any, ...], tuple[int, int]]


class Seen(NamedTuple):
    """A hand, the cards of each seat and the board, and in Bounty the rank of each seat."""

    hand: Hand
    hole: dict[int, list[str]]
    board: list[str]
    ranks: dict[int, str | None]


def _rates(found: Iterable[tuple[tuple[Any, ...], bool]]) -> Rates:
    n: Counter[tuple[Any, ...]] = Counter()
    k: Counter[tuple[Any, ...]] = Counter()
    for key, taken in found:
        n[key] += 1
        k[key] += taken
    return {key: (count, k[key]) for key, count in n.items()}


def _answers(move: Move) -> list[tuple[str, bool]]:
    """What there was to answer: a bet to fold, call, raise; or a pot to bet into."""
    if move.to_call > 0:
        return [(kind, move.kind == kind) for kind in ("fold", "call", "raise")]
    return [("bet", move.kind in ("bet", "raise"))]


def _dealt(board: list[str], street: int) -> list[str]:
    return board[: street + 2] if street else []


def live_bounties(hands: Iterable[Seen]) -> Rates:
    """By (seat, street, answer, live): live where the own rank is among the cards the player sees."""

    def found() -> Iterable[tuple[tuple[Any, ...], bool]]:
        for hand, hole, board, ranks in hands:
            for move in hand.moves:
                rank = ranks[move.seat]
                if move.own and rank is not None:
                    live = any(card[0] == rank for card in hole[move.seat] + _dealt(board, move.street))
                    for answer, taken in _answers(move):
                        yield (move.seat, move.street, answer, live), taken

    return _rates(found())


def _run_answers(hands: Iterable[Seen]) -> Iterable[tuple[tuple[Any, ...], bool, Fraction]]:
    """River of Blood: (seat, cards after the turn, tenths of the chance of black, answer), taken, that chance."""
    for hand, hole, board, _ in hands:
        for move in hand.moves:
            if not move.own or move.street < 3:
                continue
            dealt = _dealt(board, move.street)
            known = hole[move.seat] + dealt
            unseen = [rank + suit for rank in RANKS for suit in "cdhs" if rank + suit not in known]
            chance = Fraction(sum(card[1] in "cs" for card in unseen), len(unseen))
            tenths = None if dealt[-1][1] in "cs" else int(10 * chance)
            for answer, taken in _answers(move):
                yield (move.seat, move.street - 2, tenths, answer), taken, chance


def runs(hands: Iterable[Seen]) -> Rates:
    """River of Blood by (seat, cards after the turn, tenths of the chance of black, answer); no tenths after black."""
    return _rates((key, taken) for key, taken, _ in _run_answers(hands))


def run_chances(hands: Iterable[Seen]) -> dict[tuple[Any, ...], float]:
    """The mean chance of black over the decisions of each rate of `runs`."""
    chances: defaultdict[tuple[Any, ...], list[Fraction]] = defaultdict(list)
    for key, _, chance in _run_answers(hands):
        chances[key].append(chance)
    return {key: float(sum(some) / len(some)) for key, some in chances.items()}


def limit_answers(hands: Iterable[Hand], most: dict[int, int]) -> Rates:
    """ACPC limit by (seat, street, bets faced, answer); `most` bets of each round, by the definition."""

    def found() -> Iterable[tuple[tuple[Any, ...], bool]]:
        for hand in hands:
            faced: Counter[int] = Counter()
            for move in hand.moves:
                bets = faced[move.street] + (hand.holdem and move.street == 0)
                bold = move.kind in ("bet", "raise")
                if move.own:
                    key = (move.seat, move.street, bets)
                    if move.to_call > 0:
                        yield (*key, "fold"), move.kind == "fold"
                        yield (*key, "call"), move.kind == "call"
                    else:
                        yield (*key, "check"), move.kind == "check"
                    if bets < most[move.street]:
                        yield (*key, "raise"), bold
                    if bets == most[move.street] - 1:
                        yield (*key, "cap"), bold
                faced[move.street] += bold

    return _rates(found())


def chen(one: str, two: str) -> int:
    """Chen points of two cards, by the rules in words."""
    high, low = sorted((RANKS.index(card[0]) for card in (one, two)), reverse=True)
    points = {12: Fraction(10), 11: Fraction(8), 10: Fraction(7), 9: Fraction(6)}.get(
        high, Fraction(high + 2, 2)
    )
    if high == low:
        return ceil(max(2 * points, Fraction(5)))
    between = high - low - 1
    points -= {0: 0, 1: 1, 2: 2, 3: 4}.get(between, 5)
    if between < 2 and high < RANKS.index("Q"):
        points += 1
    return ceil(points + (2 if one[1] == two[1] else 0))


def strongest_boards(sent: Iterable[tuple[int, list[list[str]]]]) -> Rates:
    """By (seat, board from 1): rounds with one strongest pair, and those in which it went there."""

    def found() -> Iterable[tuple[tuple[Any, ...], bool]]:
        for seat, pairs in sent:
            points = [chen(*pair) for pair in pairs]
            if points.count(max(points)) == 1:
                for board in (1, 2, 3):
                    yield (seat, board), points[board - 1] == max(points)

    return _rates(found())


def entropy(counts: Sequence[int]) -> tuple[float, float, float]:
    """Bits of the board chosen so many times: the estimate and the ends of its 95% interval, each within its bounds."""
    n, most = sum(counts), log2(len(counts))
    estimate = -sum(k / n * log2(k / n) for k in counts if k) + 1 / (n * log(2))
    smooth = [(k + 0.5) / (n + len(counts) / 2) for k in counts]
    middle = -sum(q * log2(q) for q in smooth)
    surprise = sum(q * log2(q) ** 2 for q in smooth) - middle**2
    half = 1.959963984540054 * sqrt(surprise / n + (1 / (n * log(2))) ** 2)
    return min(estimate, most), max(middle - half, 0.0), min(middle + half, most)


def all_in_triggers(hands: Iterable[Hand], stack: float) -> Rates:
    """Blotto by (seat, trigger, answer): where the opponent's last chips went, if they have gone in."""

    def found() -> Iterable[tuple[tuple[Any, ...], bool]]:
        for hand in hands:
            put: dict[int, float] = defaultdict(float)
            gone: dict[int, set[int]] = {}
            turn: list[Move] = []
            for move in [*hand.moves, None]:
                if turn and (move is None or (move.seat, move.street) != (turn[0].seat, turn[0].street)):
                    seat = turn[0].seat
                    put[seat] += sum(each.added for each in turn)
                    if put[seat] >= stack and seat not in gone:
                        most = max(each.added for each in turn)
                        gone[seat] = {each.board for each in turn if each.added == most}
                    turn = []
                if move is None:
                    break
                if not put:
                    put.update(
                        {0: stack - move.stack, 1: 0.0} if move.seat == 0 else {1: stack - move.stack, 0: 0.0}
                    )
                if move.seat not in {each.seat for each in turn} and put[move.seat] == 0:
                    put[move.seat] = stack - move.stack
                if move.own and move.to_call > 0:
                    where = gone.get(1 - move.seat)
                    trigger = "none" if where is None else "here" if move.board in where else "elsewhere"
                    for answer, taken in _answers(move):
                        yield (move.seat, trigger, answer), taken
                turn.append(move)

    return _rates(found())
