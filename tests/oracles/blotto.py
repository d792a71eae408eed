"""Blotto Hold'em from its rules document, slowly and plainly: what a hand of an MIT log of 2021 pays.

The log's lines are taken as they stand, one regular expression each; from the chips that they say were put on
each board, the folds, and the best five cards of each board the winnings follow.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from .holdem import best_five

STACK = 200
BIG_BLIND = 2
BOARDS = (1, 2, 3)
CARDS = r"\[((?:[2-9TJQKA][cdhs] ?)*)\]"


@dataclass
class Board:
    """One board of a hand; lists by seat of the hand, the dealer is 0."""

    number: int
    cards: list[str] = field(default_factory=list)
    hands: list[list[str]] = field(default_factory=lambda: [[], []])
    put: list[int] = field(default_factory=lambda: [0, 0])
    street_chips: list[int] = field(default_factory=lambda: [0, 0])
    folder: int | None = None

    @property
    def pot(self) -> int:
        """What both players put in, and one, two or three big blinds that nobody did."""
        return sum(self.put) + self.number * BIG_BLIND

    def payout(self) -> list[int]:
        """Chips of the pot to each player; in a tie both have half of it."""
        if self.folder is not None:
            return [self.pot * (seat != self.folder) for seat in (0, 1)]
        one, two = (best_five(sorted(set(self.cards + hand))) for hand in self.hands)
        if one == two:
            return [self.pot // 2, self.pot // 2]
        return [self.pot * (one > two), self.pot * (two > one)]

    def is_tie(self) -> bool:
        """True where the board is shown down and split."""
        return self.folder is None and self.payout()[0] == self.payout()[1]


@dataclass
class Hand:
    """A hand as the log has it; awards by seat of the hand."""

    number: int
    names: tuple[str, str]
    boards: list[Board]
    awards: list[int] = field(default_factory=list)
    printed_pots: list[tuple[int, int]] = field(default_factory=list)
    negative_lines: int = 0

    def put(self) -> list[int]:
        """Chips of each player on all boards."""
        return [sum(board.put[seat] for board in self.boards) for seat in (0, 1)]

    def due(self) -> list[int]:
        """What the rules pay: the boards' winnings less the chips put in."""
        put = self.put()
        return [sum(board.payout()[seat] for board in self.boards) - put[seat] for seat in (0, 1)]

    def is_two_each(self) -> bool:
        """True where every player who assigned cards sent two to each board, none of them twice."""
        for seat in (0, 1):
            sent = [card for board in self.boards for card in board.hands[seat]]
            if sent and ({len(b.hands[seat]) for b in self.boards} != {2} or len(set(sent)) != 6):
                return False
        return True


def _put(board: Board, seat: int, street_chips: int) -> None:
    board.put[seat] += street_chips - board.street_chips[seat]
    board.street_chips[seat] = street_chips


def _read(lines: Sequence[str], hand: Hand) -> None:
    """Fill a hand from its lines after the first."""
    boards = hand.boards
    for line in lines:
        for seat in (0, 1):
            name = hand.names[seat] + " "
            if not line.startswith(name):
                continue
            rest = line[len(name) :]
            if found := re.fullmatch(r"posts the blind of (\d+)(?: on each board)?", rest):
                for board in boards:
                    _put(board, seat, int(found[1]))
            elif found := re.fullmatch(rf"assigns {CARDS} to board (\d)(?:, with EV .*)?", rest):
                boards[int(found[2]) - 1].hands[seat] = found[1].split()
            elif found := re.fullmatch(r"(?:bets|raises to) (\d+) on board (\d)", rest):
                _put(boards[int(found[2]) - 1], seat, int(found[1]))
            elif found := re.fullmatch(r"calls on board (\d)", rest):
                board = boards[int(found[1]) - 1]
                _put(board, seat, board.street_chips[1 - seat])
            elif found := re.fullmatch(r"folds on board (\d)", rest):
                boards[int(found[1]) - 1].folder = seat
            elif found := re.fullmatch(r"awarded (-?\d+)", rest):
                hand.awards.append(int(found[1]))
            else:
                continue
            break
        else:
            _read_street(line, hand)


def _read_street(line: str, hand: Hand) -> None:
    street = re.match(
        rf"(?:Flop|Turn|River) {CARDS}, \((\d+)\), .* \((-?\d+)\), .* \((-?\d+)\) on board (\d)$", line
    )
    folded = re.fullmatch(r"Board (\d), \((\d+)\)", line)
    if street:
        board = hand.boards[int(street[5]) - 1]
        board.cards = street[1].split()
        hand.printed_pots.append((board.pot, int(street[2])))
        hand.negative_lines += int(street[3]) < 0 or int(street[4]) < 0
    elif folded:
        board = hand.boards[int(folded[1]) - 1]
        hand.printed_pots.append((board.pot, int(folded[2])))
    if (street and street[5] == "1") or (folded and folded[1] == "1"):
        for each in hand.boards:
            each.street_chips = [0, 0]


def read_hands(text: str, names: tuple[str, str]) -> Iterator[Hand]:
    """The hands of a log of two players with different names, `names` in the order of the header."""
    for block in text.replace("\r\n", "\n").split("\n\nRound #")[1:]:
        head, *lines = block.split("\n\nFinal, ")[0].split("\n")
        number = int(head.split(",")[0])
        order = names if number % 2 else (names[1], names[0])
        # Of two names that begin alike the longer one is tried first where a line fits both.
        hand = Hand(number, order, [Board(k) for k in BOARDS])
        _read(lines, hand)
        yield hand
