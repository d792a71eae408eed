"""The lines of Auction (2024), Toss (2026), Sneak Peek and Anaconda, worked out again from cards and actions.

This follows what the engines do (docs/rules-and-deviations.md). A log is read a line at a time. The player to act,
the cost of the action, the street lines, the awards and the sums at the end are worked out here, and the first line
that differs is a ValueError.

A *position* is 0 for the dealer of the hand, 1 for the other; a *seat* is the place in the header.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from .holdem import best_five

STACK = 400
EXCEPTIONS = ("IndexError", "KeyError", "ValueError")
KINDS = (
    "High Card",
    "Pair",
    "Two Pair",
    "Trips",
    "Straight",
    "Flush",
    "Full House",
    "Quads",
    "Straight Flush",
)
STREETS = ("Flop", "Turn", "River")


@dataclass
class Told:
    """One hand; lists are by position. extra: the card won in the auction, "?" until a line prints it."""

    number: int
    seats: list[int]
    hole: list[list[str]] = field(default_factory=lambda: [[], []])
    board: list[str] = field(default_factory=list)
    put: list[int] = field(default_factory=lambda: [0, 0])
    bids: list[int] = field(default_factory=list)
    extra: list[str | None] = field(default_factory=lambda: [None, None])
    discards: list[str | None] = field(default_factory=lambda: [None, None])
    folded: int | None = None
    awards: list[int] = field(default_factory=lambda: [0, 0])
    faults: int = 0


class Retelling(ABC):
    """A log read line by line: the rules that all these games share."""

    hole_cards = 2
    stack = STACK
    blinds = (1, 2)
    opens = " Pokerbots - "
    posts = " posts the blind of "
    deals = " dealt"
    written = False

    def __init__(self, text: str) -> None:
        """Find the players: the header's, in the order in which the first round names them."""
        self.lines = text.split("\n")
        self.at = 0
        said = self.lines[0].split(self.opens, 1)[1]
        cuts = [cut.start() for cut in re.finditer(" vs ", said)]
        pairs = [[said[:cut], said[cut + 4 :]] for cut in cuts]
        self.names = next(p for p in pairs if f"Round #1, {p[0]} (0), {p[1]} (0)" in self.lines)
        self.banks = [0, 0]
        self.gone = [False, False]
        self.hands: list[Told] = []
        self.pips = [0, 0]
        self.notes = [[0, 0, 0], [0, 0, 0]]
        self.sums = [[0, 0, 0], [0, 0, 0]]
        self.hand = Told(0, [0, 1])

    # Lines

    @property
    def line(self) -> str:
        """The line that comes next."""
        return self.lines[self.at]

    def wrong(self, due: str) -> ValueError:
        """The error that the next line is not the one due."""
        return ValueError(f"line {self.at + 1}: {self.line!r}, due is {due!r}")

    def expect(self, text: str) -> None:
        """The next line says exactly this."""
        if self.at >= len(self.lines) or self.line != text:
            raise self.wrong(text)
        self.at += 1

    def name(self, position: int) -> str:
        """A player of the hand."""
        return self.names[self.hand.seats[position]]

    def read(self, position: int, pattern: str) -> re.Match[str] | None:
        """What follows a player's name in the next line, None where the line says something else."""
        found = None
        if self.line.startswith(self.name(position)):
            found = re.fullmatch(pattern, self.line.removeprefix(self.name(position)), re.DOTALL)
        self.at += found is not None
        return found

    def must(self, position: int, pattern: str) -> re.Match[str]:
        """As `read`; anything else is an error."""
        found = self.read(position, pattern)
        if found is None:
            raise self.wrong(f"{self.name(position)}{pattern}")
        return found

    def fault(self, position: int) -> bool:
        """Fault lines of a player, if any: their number is counted."""
        before = self.at
        if self.read(position, r" (ran out of time|disconnected)"):
            self.gone[self.hand.seats[position]] = True
        else:
            self.one_fault(position)
        self.hand.faults += self.at > before
        return self.at > before

    @abstractmethod
    def one_fault(self, position: int) -> None:
        """The fault lines of one answer of that year."""

    # A match

    def tell(self) -> Retelling:
        """Read the whole log; raises ValueError at the first line that is not as it must be."""
        self.at = 1
        while self.lines[self.at + 1].startswith("Round #"):
            self.expect("")
            number = len(self.hands) + 1
            self.hand = Told(number, [0, 1] if number % 2 else [1, 0])
            self.hands.append(self.hand)
            self.expect(f"Round #{number}{self.status()}")
            self.tell_hand()
        self.expect("")
        self.hand = Told(0, [len(self.hands) % 2, 1 - len(self.hands) % 2])
        self.expect(f"Final{self.status()}")
        self.tell_end()
        if self.at != len(self.lines):
            raise self.wrong("the end")
        return self

    def status(self) -> str:
        """Both players with their bankrolls."""
        return "".join(f", {self.names[seat]} ({self.banks[seat]})" for seat in self.hand.seats)

    def tell_end(self) -> None:
        """The sums after the final line, where there are any."""
        if self.at == len(self.lines):
            return
        for position, seat in enumerate(self.hand.seats):
            # The engine keeps them by name: what two of one name win and lose is nothing.
            sums = self.sums[seat] if self.names[0] != self.names[1] else [0, 0, 0]
            for street, total in zip(("preflop", "flop", "turn"), sums, strict=True):
                self.expect(f"{self.name(position)} {street} bets EV: {total}")

    def tell_hand(self) -> None:
        """Blinds, cards, streets, awards."""
        hand = self.hand
        self.pips = [0, 0]
        for position in (0, 1):
            self.put(position, self.blinds[position])
            self.expect(f"{self.name(position)}{self.posts}{self.blinds[position]}")
        for position in (0, 1):
            hand.hole[position] = self.must(position, self.deals + r" \[(.+)\]")[1].split()
            assert len(hand.hole[position]) == self.hole_cards
        self.tell_first()
        self.tell_streets()
        if hand.folded is None or self.shows_fold():
            for position in (0, 1):
                self.tell_shown(position)
        hand.awards = self.awards()
        for position, seat in enumerate(hand.seats):
            self.expect(f"{self.name(position)} awarded {hand.awards[position]}")
            self.banks[seat] += hand.awards[position]
            sign = (hand.awards[position] > 0) - (hand.awards[position] < 0)
            for k in range(3):
                self.sums[seat][k] += sign * self.notes[seat][k]
        self.tell_summary()
        for position in (0, 1):
            self.fault(position)
        cards = [*hand.hole[0], *hand.hole[1], *hand.board, *(c for c in hand.extra if c and c != "?")]
        assert len(set(cards)) == len(cards), cards

    def tell_first(self) -> None:
        """The first street."""
        self.bet(0)

    def is_last_check(self, street: int, turn: int) -> bool:
        """Whether a check ends the street."""
        return turn > 1 or (street == 0 and turn > 0)

    def shows_fold(self) -> bool:
        """Whether the engine shows the hands although somebody folded."""
        return False

    @abstractmethod
    def tell_streets(self) -> None:
        """All that comes after the betting before the flop."""

    @abstractmethod
    def tell_summary(self) -> None:
        """Lines after the awards."""

    def tell_shown(self, position: int) -> None:
        """A hand at the showdown."""
        self.expect(f"{self.name(position)} shows [{' '.join(self.held(position))}]")

    def held(self, position: int) -> list[str]:
        """The cards a player holds."""
        return self.hand.hole[position]

    def put(self, position: int, pip: int) -> None:
        """Bring a player's chips of the street to `pip`."""
        self.hand.put[position] += pip - self.pips[position]
        self.pips[position] = pip

    def chips(self) -> str:
        """Both players with what they have put in."""
        return "".join(f", {self.name(position)} ({self.hand.put[position]})" for position in (0, 1))

    def street(self, word: str, new: int) -> None:
        """A street line with `new` cards that no one has seen, and what it says of the chips."""
        cards = re.match(r"[\w ]+ \[(.*?)\]", self.line)
        board = cards[1].split() if cards else []
        self.hand.board += board[len(self.hand.board) :]
        assert len(self.hand.board) - len(board) == 0 and new >= 0
        self.expect(f"{word} [{' '.join(self.hand.board)}]{self.chips()}")
        self.pips = [0, 0]

    @abstractmethod
    def note(self, street: int) -> None:
        """What the engine notes before it asks anybody."""

    def bet(self, street: int) -> None:
        """A street's betting, until it is closed or somebody folds."""
        hand, turn = self.hand, 0 if street == 0 else 1
        while True:
            self.note(street)
            who = turn % 2
            faulty = self.fault(who) or self.gone[hand.seats[who]]
            cost = self.pips[1 - who] - self.pips[who]
            left = [self.stack - chips for chips in hand.put]
            no_raise = cost >= left[who] or left[1 - who] == 0
            if raised := self.read(who, r" (?:bets|raises to) (\d+)"):
                amount, most = int(raised[1]), min(left[who], left[1 - who] + cost)
                assert not faulty and not no_raise
                assert min(most, cost + max(cost, self.blinds[1])) <= amount - self.pips[who] <= most
                word = "bets" if self.pips == [0, 0] else "raises to"
                assert self.lines[self.at - 1] == f"{self.name(who)} {word} {amount}"
                self.put(who, amount)
            elif self.read(who, " folds"):
                assert self.may_fold(cost) and (cost or self.may_stand_in(faulty))
                hand.folded = who
                return
            elif cost:
                self.expect(f"{self.name(who)} calls")
                self.put(who, self.pips[1 - who])
                if turn > 0:
                    return
            else:
                self.expect(f"{self.name(who)} checks")
                if self.is_last_check(street, turn):
                    return
            turn += 1

    def may_fold(self, cost: int) -> bool:
        """Whether the engine takes a fold."""
        return cost > 0

    def may_stand_in(self, faulty: bool) -> bool:
        """Whether a fold where a check is free may be the engine's own answer, to a bad one."""
        return not faulty

    def awards(self) -> list[int]:
        """The winner gets what the loser put in."""
        hand = self.hand
        if hand.folded is None:
            strength = [best_five([*self.held(position), *hand.board]) for position in (0, 1)]
            if strength[0] == strength[1]:
                return self.split()
            loser = 0 if strength[0] < strength[1] else 1
        else:
            loser = hand.folded
        chips = [hand.put[loser], hand.put[loser]]
        chips[loser] *= -1
        return chips

    def split(self) -> list[int]:
        """A split pot of equal shares changes nothing."""
        assert self.hand.put[0] == self.hand.put[1]
        return [0, 0]


class Auction(Retelling):
    """2024: after the flop is dealt both bid for one more card, the dealer last."""

    tells_won: bool
    bids_end_flop: bool

    def tell(self) -> Retelling:
        """Old engines print no cards that are won, the oldest do not ask for bets on the flop."""
        self.tells_won = any(" won the auction and was dealt [" in line for line in self.lines)
        flops = [line.startswith("Flop [") for line in self.lines]
        auctions = sum(line.startswith("Players submitted bids of ") for line in self.lines)
        self.bids_end_flop = sum(flops) == auctions
        return super().tell()

    def one_fault(self, position: int) -> None:
        """An illegal answer with its amount, or an illegible one and the exception that it raises."""
        if not self.read(position, r" attempted illegal (?:\w+Action)(?: with amount -?\d+)?"):
            said = self.read(position, r" response misformatted: (.*)")
            if said:
                self.expect(EXCEPTIONS[0 if not said[1] else 2 if said[1][0] in "RA" else 1])

    def note(self, street: int) -> None:
        """On the flop the preflop chips, on the turn those of the flop, else the rest; new every hand."""
        for position, seat in enumerate(self.hand.seats):
            note, chips = self.notes[seat], self.hand.put[position]
            k = 0 if street == 1 else 1 if street == 2 else 2
            note[k] = chips - (0, note[0], note[1] + note[0])[k]

    def tell_hand(self) -> None:
        """The notes begin anew."""
        self.notes = [[0, 0, 0], [0, 0, 0]]
        super().tell_hand()

    def tell_streets(self) -> None:
        """The auction, then flop, turn and river."""
        for street, word in enumerate(STREETS, 1):
            if self.hand.folded is not None:
                return
            self.street(word, 3 if street == 1 else 1)
            assert len(self.hand.board) == street + 2
            if street == 1:
                self.auction()
                if self.bids_end_flop:
                    continue
                if self.hand.folded is not None:
                    return
                self.expect(f"Flop [{' '.join(self.hand.board)}]{self.chips()}")
            self.bet(street)

    def auction(self) -> None:
        """Two bids; the higher bidder pays the lower bid, after equal bids both pay; a player who pays gets a card."""
        hand, bids = self.hand, [0, 0]
        for position in (1, 0):
            self.note(1)
            faulty = self.fault(position) or self.gone[hand.seats[position]]
            if self.folds_bid(position, faulty):
                hand.folded = position
                return
            bids[position] = int(self.must(position, r" bids (\d+)")[1])
            assert bids[position] <= self.stack - hand.put[position]
            assert not (faulty and bids[position])
        hand.bids = bids
        for position in (0, 1):
            if bids[position] >= bids[1 - position]:
                hand.put[position] += bids[1 - position]
                self.tell_won(position)

    def folds_bid(self, position: int, faulty: bool) -> bool:
        """Whether a fold comes in place of a bid."""
        return False

    def tell_won(self, position: int) -> None:
        """The card that was won."""
        self.hand.extra[position] = "?"
        if self.tells_won:
            self.hand.extra[position] = self.must(position, r" won the auction and was dealt \[(..)\]")[1]

    def tell_shown(self, position: int) -> None:
        """The third card may be new here."""
        if self.hand.extra[position] == "?":
            self.hand.extra[position] = self.line[-3:-1]
        super().tell_shown(position)

    def held(self, position: int) -> list[str]:
        """Hole cards and the one that was won."""
        extra = self.hand.extra[position]
        return [*self.hand.hole[position], *([extra] if extra else [])]

    def split(self) -> list[int]:
        """Half the difference of what is left, rounded down for the dealer."""
        award = (self.hand.put[1] - self.hand.put[0]) // 2
        return [award, -award]

    def tell_summary(self) -> None:
        """Whether there was an auction."""
        if self.hand.bids:
            self.expect(f"Players submitted bids of {self.hand.bids[0]} and {self.hand.bids[1]}")
        else:
            self.expect("Players did not reach flop. No auction occured.")


class SneakPeek(Auction):
    """IIT 2026: the auction's prize is a look at a card of the opponent's.

    written: any bad answer is a fold, as the rules say, else it is a check where one is free, or a bid of 0.
    """

    stack = 5000
    blinds = (10, 20)
    opens = ":00 "
    posts = " posts blind: "
    deals = " received"

    def tell(self) -> Retelling:
        """One engine."""
        return Retelling.tell(self)

    bids_end_flop = False

    def one_fault(self, position: int) -> None:
        """An illegal answer with its amount, or an illegible one."""
        said = self.read(
            position, r" attempted illegal (?:Action\w+(?: with amount -?\d+|\(.*)?|bid with decimal)"
        )
        self.decimal = said is not None and said[0].endswith("bid with decimal")
        if not said:
            self.read(position, r" response misformatted: (.*)")

    def note(self, street: int) -> None:
        """No sums at the end."""

    def may_fold(self, cost: int) -> bool:
        """The rules allow it at any time."""
        return cost > 0 or self.written

    def may_stand_in(self, faulty: bool) -> bool:
        """As the rules say."""
        return self.written

    def folds_bid(self, position: int, faulty: bool) -> bool:
        """A fraction is a fold for the engine, any bad answer by the rules."""
        folds = faulty and (self.decimal or self.written)
        if folds:
            self.expect(f"{self.name(position)} folds")
            self.shown = self.decimal and not self.written
        return folds

    def shows_fold(self) -> bool:
        """After a fold in place of a bid."""
        return self.shown

    def tell_hand(self) -> None:
        """Nothing is left of the hand before."""
        self.decimal = self.shown = False
        super().tell_hand()

    def tell_won(self, position: int) -> None:
        """The card that is seen."""
        seen = self.must(position, r" won the auction and was revealed \[(..)\]")[1]
        assert seen in self.hand.hole[1 - position]

    def tell_summary(self) -> None:
        """No line."""


class Anaconda(SneakPeek):
    """IIT 2026, finals: seven cards and no board; before each of three streets each player passes some to the other."""

    hole_cards = 7

    def one_fault(self, position: int) -> None:
        """An answer of a wrong class, a wrong amount, a wrong pass, or an illegible answer."""
        self.read(
            position,
            r" (?:attempted illegal <class '\w+\.Action\w+'>|illegal raise amount -?\d+|response misformatted: .*"
            r"|illegal pass: (?:expected \d+ indices, got \d+|indices out of range \[.*\]))",
        )

    def tell_first(self) -> None:
        """The first street begins with an exchange."""
        self.exchange(0)

    def tell_streets(self) -> None:
        """The other two streets."""
        for street, word in enumerate(("DoublePass", "SinglePass"), 1):
            if self.hand.folded is not None:
                return
            self.expect(f"{word}{self.chips()}")
            self.pips = [0, 0]
            self.exchange(street)

    def exchange(self, street: int) -> None:
        """Both players pass cards of the hands before the exchange; then come the bets of the street."""
        hand, count = self.hand, 3 - street
        given: list[list[str]] = [[], []]
        for position in (0, 1) if street == 0 else (1, 0):
            faulty = self.fault(position) or self.gone[hand.seats[position]]
            if self.written and self.gone[hand.seats[position]]:
                self.expect(f"{self.name(position)} folds")
                hand.folded = position
                return
            given[position] = self.must(position, r" passes \[(.+)\]")[1].split()
            assert given[position] == [card for card in hand.hole[position] if card in given[position]]
            assert len(given[position]) == count
            assert not faulty or given[position] == hand.hole[position][:count]
        for position in (0, 1):
            kept = [card for card in hand.hole[position] if card not in given[position]]
            hand.hole[position] = [*kept, *given[1 - position]]
        self.expect(f"Betting#{street + 1}{self.chips()}")
        self.bet(street)

    def is_last_check(self, street: int, turn: int) -> bool:
        """The engine asks the dealer again after a limp and a check, which the rules do not say."""
        return turn > 1 or (self.written and street == 0 and turn > 0)

    def tell_shown(self, position: int) -> None:
        """A hand and its kind."""
        held = self.held(position)
        kind = KINDS[best_five(held)[0]]
        self.expect(f"{self.name(position)} shows [{' '.join(held)}] -> {kind}")


class Toss(Retelling):
    """2026: three cards, of which each player discards one onto the board after the two-card flop."""

    hole_cards = 3

    def one_fault(self, position: int) -> None:
        """Above the fault of a wrong kind of answer stands the engine's number of the street."""
        if re.fullmatch(r"street = [02-6]", self.line):
            self.at += 1
            self.must(position, r" attempted illegal \w+Action")
        else:
            self.read(position, r" (?:response misformatted: .*|attempted to discard invalid index -?\d+)")

    def may_fold(self, cost: int) -> bool:
        """At any time."""
        return True

    def note(self, street: int) -> None:
        """Before the flop the chips so far, in the betting after the discards those of that street, else the rest."""
        for position, seat in enumerate(self.hand.seats):
            note, chips = self.notes[seat], self.hand.put[position]
            k = 0 if street == 0 else 1 if street == 3 else 2
            note[k] = chips - (0, note[0], note[1] + note[0])[k]

    def street(self, word: str, new: int) -> None:
        """With what is left of the stacks."""
        super().street(word, new)
        left = [STACK - chips for chips in self.hand.put]
        self.expect(f"Current stacks: {left[0]}, {left[1]}")

    def tell_summary(self) -> None:
        """None in this year."""

    def tell_streets(self) -> None:
        """Flop, two discards, turn, river."""
        for street, word in enumerate(("Flop", "Discard 1", "Discard 2", "Turn", "River"), 1):
            if self.hand.folded is not None:
                return
            self.street(word, 2 if street == 1 else 1)
            assert len(self.hand.board) == street + 1
            if street < 3:
                self.discard(street, 1 if street == 1 else 0)
            else:
                self.bet(street)

    def discard(self, street: int, who: int) -> None:
        """One player discards, or folds for a fault; the other can only check."""
        hand = self.hand
        self.note(street)
        self.fault(who)
        if self.read(who, " folds"):
            hand.folded = who
            return
        card = self.must(who, r" discards (..)")[1]
        hand.hole[who].remove(card)
        hand.discards[who] = card
        hand.board.append(card)
        self.note(street)
        self.fault(1 - who)
        self.expect(f"{self.name(1 - who)} checks")
