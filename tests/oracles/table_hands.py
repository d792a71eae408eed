"""What the lines of a table say of a hand, by the rules of hold'em and Omaha: a second, slow reading of each hand.

It stops at nothing: `problems` lists all that is against the rules, `shares` what the pots pay.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from oracles.holdem import Strength, best_five

POT_LIMIT, FIXED = 1, 2
BOARD = 5


def hands_in(lines: Iterable[str]) -> Iterator[list[list[str]]]:
    """The words of the lines of each hand."""
    hand: list[list[str]] = []
    for line in lines:
        if "unread: " not in line:
            hand.append(line.split())
        if line in ("end", "unfinished"):
            yield hand
            hand = []


@dataclass
class Told:
    """A hand as its lines tell it; chips by seat."""

    used: int
    kind: int = 0
    low: int = 0
    high: int = 0
    order: list[int] = field(default_factory=list)
    stack: Counter[int] = field(default_factory=Counter)
    put: Counter[int] = field(default_factory=Counter)
    pip: Counter[int] = field(default_factory=Counter)
    paid: Counter[int] = field(default_factory=Counter)
    hole: dict[int, list[str]] = field(default_factory=dict)
    boards: tuple[list[str], list[str]] = field(default_factory=lambda: ([], []))
    out: set[int] = field(default_factory=set)
    asked: set[int] = field(default_factory=set)
    hidden: set[int] = field(default_factory=set)
    problems: list[str] = field(default_factory=list)
    reason: str = ""
    dead: int = 0
    bet: int = 0
    step: int = 0
    street: int = 0
    next: int | None = None
    first: int | None = None
    open: bool = True
    whole: bool = False

    @property
    def alive(self) -> list[int]:
        """Who has not folded."""
        return [seat for seat in self.order if seat not in self.out]

    def left(self, seat: int) -> int:
        """Chips in front of a player."""
        return self.stack[seat] - self.put[seat]

    def after(self, seat: int) -> int:
        """The next player at the table."""
        return self.order[(self.order.index(seat) + 1) % len(self.order)]

    def due(self) -> int | None:
        """Who is to act."""
        seat = self.order[0] if self.next is None else self.next
        able = [one for one in self.alive if self.left(one) > 0]
        for _ in self.order:
            if seat in able and (
                self.pip[seat] < self.bet or (seat not in self.asked and len(able) > 1 and self.open)
            ):
                return seat
            seat = self.after(seat)
        return None

    def wrong(self, what: str) -> None:
        """One more problem."""
        self.problems.append(what)

    def add(self, seat: int, chips: int) -> None:
        """Chips go into the pot as a bet of the street."""
        self.put[seat] += chips
        self.pip[seat] += chips

    def act(self, what: str, seat: int, chips: int) -> None:
        """Check an action and carry it out. chips: what the player has in on the street, where the line says it."""
        if what == "leave":
            # The player whose turn it is.
            self.out.add(seat)
            return
        if seat != self.due():
            self.wrong(f"turn: {seat} acts, {self.due()} is due")
        call = min(self.bet - self.pip[seat], self.left(seat))
        if what == "fold":
            self.out.add(seat)
        elif what == "check" and call > 0:
            self.wrong("check")
        elif what in ("call", "call_to"):
            if what == "call_to" and chips != self.pip[seat] + call:
                self.wrong("call")
            self.add(seat, call)
        elif what == "raise":
            self.bound(seat, chips)
            self.step = max(self.step, chips - self.bet)
            self.bet = chips
            self.asked.clear()
            self.add(seat, chips - self.pip[seat])
        self.asked.add(seat)
        self.next = self.after(seat)

    def bound(self, seat: int, chips: int) -> None:
        """Check the size of a bet or raise."""
        most = own = self.pip[seat] + self.left(seat)
        others = max(self.pip[one] + self.left(one) for one in self.alive if one != seat)
        least = self.bet + max(self.step, self.low)
        if self.kind == FIXED:
            least = most = self.bet + (self.high if self.street > 1 else self.low)
        elif self.kind == POT_LIMIT:
            most = min(own, 2 * self.bet - self.pip[seat] + self.put.total() + self.dead)
        if chips <= self.bet or chips < min(least, max(others, self.bet), own) or chips > most:
            self.wrong(f"raise to {chips}")

    def deal(self, cards: Sequence[str]) -> None:
        """The next cards of the board: a street begins."""
        if self.open and self.due() is not None and len(self.alive) > 1:
            self.wrong("street")
        self.boards[0].extend(cards)
        self.street += 1
        self.bet, self.step, self.next, self.open = 0, self.low, None, True
        self.pip.clear()
        self.asked.clear()

    def give_back(self, seat: int, chips: int) -> None:
        """A bet that nobody matched is returned."""
        if chips != self.pip[seat] - max(self.pip[one] for one in self.order if one != seat):
            self.wrong("back")
        self.add(seat, -chips)
        self.bet, self.open = max(self.pip.values()), False

    def strength(self, seat: int, board: Sequence[str]) -> Strength:
        """The best hand of a player at a board."""
        if not self.used:
            return best_five([*self.hole[seat], *board])
        return max(
            best_five([*own, *others])
            for own in combinations(self.hole[seat], self.used)
            for others in combinations(board, BOARD - self.used)
        )

    def shares(self) -> Counter[int]:
        """What the rules pay each player; of two boards each has half of every pot."""
        found: Counter[int] = Counter()
        if len(self.alive) == 1:
            found[self.alive[0]] = self.put.total() + self.dead
            return found
        first, second = self.boards
        boards = [first, [*first[: BOARD - len(second)], *second]] if second else [first]
        levels = sorted({self.put[seat] for seat in self.alive})
        below, dead = 0, self.dead
        for level in levels:
            top = max(self.put.values()) if level == levels[-1] else level
            size = dead + sum(max(min(self.put[seat], top) - below, 0) for seat in self.order)
            inside = [seat for seat in self.alive if self.put[seat] >= level]
            for k, board in enumerate(boards):
                part = (size + len(boards) - 1 - k) // len(boards)
                strengths = {seat: self.strength(seat, board) for seat in inside}
                winners = [seat for seat in inside if strengths[seat] == max(strengths.values())]
                for at, seat in enumerate(winners):
                    found[seat] += part // len(winners) + (at < part % len(winners))
            below, dead = level, 0
        return found


def told(hand: Sequence[Sequence[str]], used: int) -> Told:
    """A hand's lines, read. used: hole cards that count at the showdown, 0 for the best of all."""
    play, price, begun = Told(used), 0, False
    for what, *rest in hand:
        if what == "reason":
            play.reason = " ".join(rest)
            continue
        if what in ("deal", "show", "board", "again"):
            numbers: list[int] = [int(rest[0])] if what in ("deal", "show") else []
        else:
            numbers = [int(word) for word in rest]
        if not begun and what in ("fold", "leave", "call", "check", "call_to", "raise", "board"):
            begun, play.bet = True, max(play.bet, price)
            if what != "board":
                play.next = play.first if play.next is None or play.first is not None else play.next
        if what == "limit":
            play.kind, play.low, play.high = numbers
            play.step = play.low
        elif what == "seat":
            play.order.append(numbers[0])
            play.stack[numbers[0]] = numbers[1]
        elif what == "ante":
            play.put[numbers[0]] += numbers[1]
        elif what == "dead":
            play.dead += numbers[1]
            play.stack[numbers[0]] -= numbers[1]
        elif what in ("small", "big", "straddle"):
            play.add(*numbers)
            if play.pip[numbers[0]] > play.bet:
                play.bet, play.next = play.pip[numbers[0]], play.after(numbers[0])
        elif what == "price":
            price = numbers[0]
        elif what == "first":
            play.first = numbers[0]
        elif what == "skip":
            play.open = False
        elif what == "deal":
            play.hole[numbers[0]] = rest[1:]
        elif what in ("fold", "leave", "check", "call", "call_to", "raise"):
            play.act(what, numbers[0], numbers[-1])
        elif what == "board":
            play.deal(rest)
        elif what == "again":
            play.boards[1].extend(rest)
        elif what == "back":
            play.give_back(*numbers)
        elif what == "muck":
            play.hidden.add(numbers[0])
        elif what in ("win", "total"):
            play.paid[numbers[0]] += numbers[1]
    play.whole = [*hand[-1]] == ["end"]
    return play
