"""Hands walked decision by decision in plain Python: the second derivation of railbird's statistics, for any number
of players and boards.

Input are decoded hands, whoever decoded them; nothing of the package's SQL or kernels is used. A statistic yields
(key, whether it was taken) for each opportunity.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

from scipy import stats

STEALERS = ("CO", "BTN", "SB")


class Move(NamedTuple):
    """A fold, check, call, bet or raise; `own` where it is the player's choice. Chips before it."""

    board: int
    street: int
    seat: int
    kind: str
    own: bool
    to_call: float
    pot: float
    added: float
    total: float
    stack: float


@dataclass(frozen=True)
class Hand:
    """A decoded hand: moves in order; `boards` says of each board how it ended.

    positions  by seat
    ends       board -> (cards dealt, shown down, seats that won it, seats that shared it)
    """

    positions: dict[int, str]
    moves: list[Move]
    ends: dict[int, tuple[int, bool, set[int], set[int]]]
    holdem: bool


@dataclass
class _Board:
    """What a board's betting has been so far."""

    street: int = 0
    level: int = 1
    entered: bool = False
    opener: int | None = None
    raiser: int | None = None
    stealer: int | None = None
    leader: int | None = None
    aggressor: int | None = None

    def __post_init__(self) -> None:
        self.first_bets: dict[int, int] = {}
        self.checked: dict[int, set[int]] = defaultdict(set)
        self.acted: set[int] = set()
        self.folded: set[int] = set()
        self.answered: set[int] = set()

    def next_street(self, street: int) -> None:
        """Forget the street; who bet last on it leads the next, nobody if none did or a street between has no moves."""
        self.leader, self.aggressor = self.aggressor if street == self.street + 1 else None, None
        self.street, self.level = street, 0
        self.acted, self.answered = set(), set()

    def keeps_betting(self, seat: int) -> bool:
        """Whether the seat made the last raise preflop and the first bet of every street since."""
        return seat == self.raiser and all(self.first_bets.get(k) == seat for k in range(1, self.street))

    def missed(self) -> bool:
        """Whether the last raiser checked the flop and nobody has bet since."""
        return (
            self.street > 1
            and self.raiser is not None
            and self.raiser in self.checked[1]
            and not any(k in self.first_bets for k in range(1, self.street))
        )


Found = tuple[tuple[str, int, int, int], bool]
"""((statistic, board, seat, street), taken); once a hand the street is -1."""


def _preflop(hand: Hand, board: _Board, move: Move) -> Iterator[tuple[str, int, bool]]:
    raises = move.kind in ("bet", "raise")
    yield "vpip", -1, raises or move.kind == "call"
    yield "pfr", -1, raises
    if board.level == 1:
        yield "2bet", 0, raises
        if not board.entered:
            yield "rfi", -1, raises
            if hand.positions[move.seat] == "SB":
                yield "limp", -1, move.kind == "call"
            if hand.positions[move.seat] in STEALERS:
                yield "steal", 0, raises
    if board.level == 2:
        yield "3bet", -1, raises
        if hand.positions[move.seat] == "BB" and board.stealer is not None:
            yield "fold_to_steal", 0, move.kind == "fold"
    if board.level == 3 and move.seat == board.opener:
        yield "4bet", -1, raises
        yield "fold_to_3bet", -1, move.kind == "fold"


def _unbet(board: _Board, move: Move, later: list[Move]) -> Iterator[tuple[str, int, bool]]:
    bets, street = move.kind in ("bet", "raise"), board.street
    if street <= 3 and board.keeps_betting(move.seat):
        yield "cbet", street, bets
        yield ("cbet_flop", "cbet_turn", "cbet_river")[street - 1], -1, bets
    if street in (2, 3) and board.missed():
        name = "delayed_cbet" if move.seat == board.raiser else "probe"
        yield name, street, bets
        if street == 2:
            yield name, -1, bets
    leader = board.raiser if street == 1 else board.leader
    # Heads-up a fold although a check is free ends the hand before the leader's turn.
    comes = (move.kind == "fold" and not later) or any((m.seat, m.street) == (leader, street) for m in later)
    if street <= 3 and leader not in (None, move.seat) and leader not in board.acted and comes:
        yield "donk", street, bets
        if street == 1:
            yield "donk", -1, bets


def _after_flop(board: _Board, move: Move, later: list[Move]) -> Iterator[tuple[str, int, bool]]:
    raises, street = move.kind in ("bet", "raise"), board.street
    if board.level == 0:
        yield from _unbet(board, move, later)
        return
    if move.seat in board.checked[street]:
        yield "check_raise", street, raises
        yield "check_raise", -1, raises
    first = board.first_bets.get(street)
    if (
        first is not None
        and street <= 3
        and board.level == 1
        and board.keeps_betting(first)
        and move.seat != first
    ):
        yield "fold_to_cbet", street, move.kind == "fold"
        if street == 1:
            yield "fold_to_cbet", -1, move.kind == "fold"


def _played(board: _Board, hand: Hand, move: Move) -> None:
    """Note a move that was made."""
    bold = move.kind in ("bet", "raise")
    if board.street == 0:
        if bold:
            free = board.level == 1 and not board.entered
            board.stealer = move.seat if free and hand.positions[move.seat] in STEALERS else None
            board.raiser = move.seat
            if board.level == 1:
                board.opener = move.seat
        board.entered = board.entered or bold or move.kind == "call"
    elif bold and board.level == 0:
        board.first_bets[board.street] = move.seat
    if move.kind == "check":
        board.checked[board.street].add(move.seat)
    if move.kind == "fold":
        board.folded.add(move.seat)
    if bold:
        board.level += 1
        board.aggressor = move.seat
    board.acted.add(move.seat)


def tendencies(hand: Hand) -> dict[tuple[str, int, int, int], bool]:
    """Every opportunity of a hold'em hand and whether it was taken; of several answers to one, whether any took it."""
    found: dict[tuple[str, int, int, int], bool] = {}
    if not hand.holdem:
        return found
    for number, (cards, shown, winners, sharers) in hand.ends.items():
        moves = [move for move in hand.moves if move.board == number]
        board = _Board()
        folded_before: set[int] = set()
        for place, move in enumerate(moves):
            if move.street != board.street:
                board.next_street(move.street)
            if move.own:
                rest = moves[place + 1 :]
                some = _preflop(hand, board, move) if move.street == 0 else _after_flop(board, move, rest)
                for name, street, taken in some:
                    key = (name, number, move.seat, street)
                    found[key] = found.get(key, False) or taken
            _played(board, hand, move)
            if move.street == 0 and move.kind == "fold":
                folded_before.add(move.seat)
        found.update(_endings(hand, number, board.folded, folded_before, cards > 0, shown, winners, sharers))
    return found


def _endings(
    hand: Hand,
    number: int,
    folded: set[int],
    folded_before: set[int],
    flop: bool,
    shown: bool,
    winners: set[int],
    sharers: set[int],
) -> Iterator[Found]:
    for seat in hand.positions:
        saw = flop and seat not in folded_before
        yield ("saw_flop", number, seat, -1), saw
        stays = shown and seat not in folded
        if saw:
            yield ("wtsd", number, seat, -1), stays
            yield ("wwsf", number, seat, -1), seat in winners
        if stays:
            yield ("w$sd", number, seat, -1), seat in winners
            yield ("tied_showdown", number, seat, -1), seat in sharers


class Answer(NamedTuple):
    """A decision that faces a bet or a blind; size and MDF of a bet or raise, None where only blinds are faced."""

    street: int
    seat: int
    kind: str
    size: float | None
    mdf: float | None


def answers(hand: Hand) -> list[Answer]:
    """Every own decision facing a bet or a blind."""
    found = []
    last: dict[tuple[int, int], Move] = {}
    for m in hand.moves:
        bet = last.get((m.board, m.street))
        if m.own and m.to_call > 0:
            # What of a bet the player has no chips for is not risked.
            can_call = m.to_call if m.stack is None else min(m.to_call, m.stack)
            beyond = max(bet.total - (m.total - m.added) - can_call, 0) if bet else 0.0
            mdf = bet and bet.pot / (bet.pot + bet.added - beyond)
            size = bet and (bet.added - bet.to_call - beyond) / (bet.pot + bet.to_call)
            found.append(Answer(m.street, m.seat, m.kind, size, mdf))
        if m.kind in ("bet", "raise"):
            last[m.board, m.street] = m
    return found


class Bet(NamedTuple):
    """A bet or raise that was made, its size, and what it left of the player's chips."""

    street: int
    seat: int
    kind: str
    size: float
    all_in: bool


def bets(hand: Hand) -> list[Bet]:
    """Every own bet and raise: chips over the pot, of a raise those beyond the call over the pot after the call."""
    found = []
    for m in hand.moves:
        if m.own and m.kind in ("bet", "raise"):
            beyond = m.added - m.to_call
            found.append(Bet(m.street, m.seat, m.kind, beyond / (m.pot + m.to_call), m.added == m.stack))
    return found


def size_bin(size: float | None) -> int | None:
    """1 to 6: up to a quarter, half, three quarters, one, two pots, and over; None for no bet."""
    return None if size is None else 1 + sum(size > end for end in (0.25, 0.5, 0.75, 1, 2))


def lock_point(
    banks: list[tuple[float, float]],
    dealers: list[int],
    blinds: tuple[float, float],
    boards: int,
    gift: float,
) -> tuple[int, int] | None:
    """(hand, seat) from which a lead cannot be lost by folding; None where there is none.

    banks    both bankrolls before each hand
    blinds   what a fold costs in each of them
    dealers  the dealer's seat in each hand; the blinds are taken in turn from there on
    gift     chips of a hand that nobody put in and that whoever does not fold wins
    """
    for hand, pair in enumerate(banks):
        seat = 0 if pair[0] > pair[1] else 1
        lead = abs(pair[0] - pair[1])
        dealing = dealers[hand] == seat
        for _ in range(hand, len(banks)):
            lead -= 2 * boards * (blinds[0] if dealing else blinds[1]) + gift
            dealing = not dealing
        if lead > 0:
            return hand, seat
    return None


def effective_n(clusters: Iterable[tuple[int, int]]) -> float:
    """The effective n of (n, k) by cluster, from the formula of docs/definitions.md."""
    pairs = [pair for pair in clusters if pair[0]]
    n, k = sum(p[0] for p in pairs), sum(p[1] for p in pairs)
    if len(pairs) < 2 or k in (0, n):
        return n
    p = k / n
    squares = sum((kk - p * nn) ** 2 for nn, kk in pairs)
    if squares < 1e-9:
        return n
    variance = len(pairs) / (len(pairs) - 1) * squares / n**2
    shrink = stats.norm.ppf(0.975) / stats.t.ppf(0.975, len(pairs) - 1)
    return min(n, p * (1 - p) / variance * float(shrink) ** 2)


def wilson(p: float, n: float) -> tuple[float, float]:
    """Ends of the Wilson interval of a rate for any n."""
    z = float(stats.norm.ppf(0.975))
    middle, half = p + z * z / (2 * n), z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return (middle - half) / (1 + z * z / n), (middle + half) / (1 + z * z / n)


def aggression(hand: Hand) -> Counter[tuple[int, int, str]]:
    """Own decisions from the flop on by (seat, street, kind)."""
    return Counter((m.seat, m.street, m.kind) for m in hand.moves if m.own and m.street > 0)
