"""Equities by counting every run-out in plain Python, with the oracle's own evaluator; for small decks."""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from oracles.holdem import best_five

Cards = Sequence[str]
Pay = Callable[[tuple[int, ...], list[str]], list[Fraction]]

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"]
RED = frozenset("dh")


def winners(holes: Sequence[Cards], board: Cards) -> tuple[int, ...]:
    """The places of the best hands."""
    values = [best_five([*hole, *board]) for hole in holes]
    return tuple(k for k, value in enumerate(values) if value == max(values))


def runouts(board: Cards, deck: Cards, due: int) -> Iterator[list[str]]:
    """Every whole board, once."""
    for more in combinations([card for card in deck if card not in board], due - len(board)):
        yield [*board, *more]


def shares(holes: Sequence[Cards], board: Cards, deck: Cards, due: int = 5) -> list[Fraction]:
    """The share of the pot of each hand; deck: the cards that may come."""
    won = [Fraction(0)] * len(holes)
    count = 0
    for whole in runouts(board, deck, due):
        best = winners(holes, whole)
        count += 1
        for k in best:
            won[k] += Fraction(1, len(best))
    return [each / count for each in won]


def against_unseen(hole: Cards, board: Cards, deck: Cards, due: int = 5) -> Fraction:
    """The equity of a hand against two cards of the deck."""
    won = count = Fraction(0)
    for whole in runouts(board, deck, due):
        rest = [card for card in deck if card not in whole]
        for other in combinations(rest, 2):
            best = winners([hole, other], whole)
            won += Fraction(int(0 in best), len(best))
            count += 1
    return won / count


def bloody_shares(holes: Sequence[Cards], board: list[str], deck: Cards, most: int) -> list[Fraction]:
    """River of Blood, card by card: the board ends with a black card from the fifth on, or with `most` cards."""
    if len(board) >= most or (len(board) >= 5 and board[-1][1] not in RED):
        best = winners(holes, board)
        return [Fraction(int(k in best), len(best)) for k in range(len(holes))]
    rest = [card for card in deck if card not in board]
    each = [bloody_shares(holes, [*board, card], deck, most) for card in rest]
    return [sum((one[k] for one in each), Fraction(0)) / len(rest) for k in range(len(holes))]
