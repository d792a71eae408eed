"""Hold'em as readers of hand histories play it: whose turn it is, what may be bet, how pots are split.

A hand is replayed by these rules from its rows. A hand of another game, or one that they would pay otherwise, cannot be
held by a format of hold'em.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Final, NamedTuple

import numpy as np

from ..replay.cards import CARD_CODE
from ..replay.evaluator import strength_of
from ..replay.games import HOLDEM_BOARDS, HOLDEM_STREETS
from ..variants.properties import DECISIONS, Properties
from .hands import Action, CannotHold, Cards, Hand, Seat, check_sound

_CHIPS: Final = 1e-4
"""What numbers that are equal may differ by: logs print thirds with six digits."""


class Move(NamedTuple):
    """A decision: the place that acts, fold, check, call, bet or raise, its total of the street and chips added."""

    place: int
    kind: str
    to: float
    added: float
    all_in: bool


class Pot(NamedTuple):
    """A pot: its chips, the places that play for it, and what each winner is paid."""

    chips: float
    players: tuple[int, ...]
    paid: dict[int, float]


@dataclass
class Played:
    """A hand replayed. Places count from the player after the dealer, who is the last; lists are by place.

    stacks     at the start, None where the log limits nobody
    posts      blinds
    moves      by street
    dealt      the cards of each street, of those that were reached
    put        chips put in, without those that nobody matched
    uncalled   place and chips that came back to it
    live       places that did not fold
    fractions  pots are split to fractions of a chip
    illegal    the first thing that the rules do not allow, "" if there is none
    """

    hand: Hand
    seats: list[Seat]
    stacks: list[float | None]
    posts: list[float]
    moves: list[list[Move]] = field(default_factory=lambda: [[]])
    dealt: list[Cards] = field(default_factory=list)
    put: list[float] = field(default_factory=list)
    uncalled: tuple[int, float] | None = None
    live: list[int] = field(default_factory=list)
    pots: list[Pot] = field(default_factory=list)
    fractions: bool = False
    illegal: str = ""

    @property
    def showdown(self) -> bool:
        """Whether more than one player is in at the end."""
        return len(self.live) > 1

    @property
    def board(self) -> Cards:
        """The board's cards as far as streets were reached."""
        return tuple(card for cards in self.dealt for card in cards)

    @property
    def places(self) -> tuple[int, int]:
        """Who posts the small and the big blind."""
        return _blinds(len(self.seats))

    @property
    def blinds(self) -> tuple[float, float]:
        """The small and the big blind."""
        small, big = self.places
        return self.posts[small], self.posts[big]

    def showers(self) -> Iterator[int]:
        """Who shows at the showdown, in turn: the last to bet on the last street, else the first to act."""
        bettors = [move.place for move in self.moves[-1] if move.kind in ("bet", "raise")]
        first = bettors[-1] if bettors else min(self.live)
        n = len(self.seats)
        yield from (place % n for place in range(first, first + n) if place % n in self.live)

    def require_legal(self) -> None:
        """CannotHold for a format whose readers play the hand again."""
        if self.illegal:
            raise CannotHold(self.illegal)


def check_game(rules: Properties) -> None:
    """CannotHold with the rule in which a game differs from hold'em."""
    different = {
        "several boards": rules.boards != 1,
        "bets that are made at once": rules.simultaneous,
        "an auction": rules.auctions,
        "hole cards that are exchanged": rules.swaps or rules.passes,
        "redraws": rules.redraws,
        "cards that are given up": rules.discards or rules.throws,
        "ranks that count as others": rules.permutes,
        "a bounty": rules.bounties,
        "chips that nobody put in": bool(rules.free_chips),
        "a limit of what a winner is paid": rules.win_cap is not None,
        "no dealer button": not rules.button,
        f"{rules.forced} in place of blinds": rules.forced != "blinds",
        f"{rules.hole_cards} hole cards": rules.hole_cards != 2,
        "another order of hands": rules.own_order,
        "all-ins that are paid by equity": rules.all_in_equity,
        "another deck": (rules.suits, rules.ranks) != (4, 13),
        "another board": tuple(rules.board_cards or ()) != HOLDEM_BOARDS,
        "other actions": not {*rules.decisions} <= {*DECISIONS},
    }
    for what, so in different.items():
        if so:
            raise CannotHold(f"not hold'em: {what}")


def replay(hand: Hand) -> Played:
    """A hand by the rules of hold'em; CannotHold if it is none, or was paid otherwise."""
    check_game(hand.match.rules)
    check_sound(hand)
    if len(hand.board or ()) > HOLDEM_BOARDS[-1]:
        raise CannotHold("a board that goes on after the river")
    if hand.dealer_seat is None or len(hand.seats) < 2:
        raise CannotHold("no dealer")
    table = len(hand.match.players)
    seats = sorted(hand.seats, key=lambda seat: (seat.seat - (hand.dealer_seat or 0) - 1) % table)
    played = Played(hand, seats, [seat.stack_start for seat in seats], _posts(hand, seats))
    _Betting(played).play()
    _deal(played)
    _pay(played)
    return played


def _blinds(players: int) -> tuple[int, int]:
    """The places of the small and the big blind."""
    return (1, 0) if players == 2 else (0, 1)


def _posts(hand: Hand, seats: Sequence[Seat]) -> list[float]:
    """The blinds posted, by place."""
    place = {seat.seat: k for k, seat in enumerate(seats)}
    posts = [0.0] * len(seats)
    for action in hand.actions:
        if action.action == "post":
            posts[place[action.seat]] = action.amount_to or 0.0
    small, big = _blinds(len(seats))
    if (
        any(posted and k not in (small, big) for k, posted in enumerate(posts))
        or not 0 < posts[small] <= posts[big]
    ):
        raise CannotHold("other blinds than a small and a big one")
    left = [None if seat.stack_start is None else seat.stack_start - posts[k] for k, seat in enumerate(seats)]
    if any(chips is not None and chips < 0 for chips in left):
        raise CannotHold("a blind above the stack")
    # Between two a big blind of all chips leaves no raise, however large it should have been.
    if 0 in left and not (len(seats) == 2 and left[big] == 0):
        raise CannotHold("a blind that takes the whole stack")
    return posts


class _Betting:
    """The betting of a hand, move by move; what is not allowed is noted and done all the same."""

    def __init__(self, played: Played) -> None:
        self.played, self.match = played, played.hand.match
        n = len(played.seats)
        self.place = {seat.seat: k for k, seat in enumerate(played.seats)}
        self.left = [
            inf if stack is None else stack - posted
            for stack, posted in zip(played.stacks, played.posts, strict=True)
        ]
        self.pip = [*played.posts]
        self.put = [*played.posts]
        self.live = {*range(n)}
        self.street = 0
        self.bets = 1
        self.full = self.big = played.blinds[1]
        self.pending = self._from(2 % n if n > 2 else 1)
        self.may_raise = {*self.pending}

    def _from(self, first: int) -> list[int]:
        """Who can still act, in turn."""
        n = len(self.played.seats)
        return [k % n for k in range(first, first + n) if k % n in self.live and self.left[k % n] > 0]

    def _wrong(self, what: str) -> None:
        if not self.played.illegal:
            self.played.illegal = f"not allowed in hold'em: {what}"

    def play(self) -> None:
        """All moves."""
        for action in self.played.hand.actions:
            if action.played:
                self._act(action)
            elif action.action == "fold":
                raise CannotHold("a fold of a player who is all-in")
        # Streets without a decision, as after an all-in.
        self._close()
        if (
            len(self.live) > 1
            and (self.pending or self.street < len(HOLDEM_STREETS))
            and len(self._from(0)) > 1
        ):
            raise CannotHold("not finished")
        self.played.live = sorted(self.live)
        self._return()

    def _close(self) -> None:
        """End the street when nobody is left to act."""
        while not self.pending and len(self.live) > 1 and self.street < len(HOLDEM_STREETS):
            able = self._from(0)
            if len(able) < 2 or self.street == len(HOLDEM_STREETS) - 1:
                if self.street == len(HOLDEM_STREETS) - 1:
                    self.street += 1
                return
            self.street += 1
            self.played.moves.append([])
            self.pip = [0.0] * len(self.pip)
            self.full, self.bets = self.big, 0
            self.pending = able
            self.may_raise = {*able}

    def _act(self, action: Action) -> None:
        if not self.pending:
            self._close()
        place = self.place[action.seat]
        if not self.pending or len(self.live) == 1 or self.street >= len(HOLDEM_STREETS):
            raise CannotHold("actions after the betting is over")
        if action.street != self.street:
            raise CannotHold("streets that end too early or too late")
        if place != self.pending[0]:
            self._wrong("acting out of turn")
        self.pending = [k for k in self.pending if k != place]
        bet = max(self.pip)
        to_call = bet - self.pip[place]
        kind, to = action.action, self.pip[place]
        if kind == "fold":
            self.live.discard(place)
            if len(self.live) == 1:
                self.pending = []
        elif kind in ("check", "call"):
            to += min(to_call, self.left[place])
            kind = "call" if to_call > 0 else "check"
            if kind != action.action or abs(to - (action.amount_to or 0.0)) > _CHIPS:
                self._wrong("a check of a bet, or a call of another amount")
                to = action.amount_to or 0.0
        else:
            to = action.amount_to or 0.0
            kind = "raise" if bet > 0 else "bet"
            self._raise(place, to, bet)
        added = to - self.pip[place]
        if added > self.left[place] + _CHIPS or added < 0:
            raise CannotHold("more chips than the stack has")
        self.left[place] -= added
        self.put[place] += added
        self.pip[place] = to
        self.played.moves[-1].append(Move(place, kind, to, added, self.left[place] == 0 and added > 0))

    def _raise(self, place: int, to: float, bet: float) -> None:
        all_in = to - self.pip[place] >= self.left[place]
        if place not in self.may_raise:
            self._wrong("a raise after an all-in that was no full raise")
        sizes, caps = self.match.raise_sizes, self.match.raise_caps
        if sizes is not None:
            if abs(to - bet - sizes[self.street]) > _CHIPS and not (all_in and to - bet < sizes[self.street]):
                self._wrong("a raise of another size")
            if caps is not None and self.bets >= caps[self.street]:
                self._wrong("more raises than the limit")
            full = to - bet >= sizes[self.street]
        else:
            full = to - bet >= self.full - _CHIPS
            if to <= bet or not (full or all_in):
                self._wrong("a bet or raise below the minimum")
        self.bets += 1
        others = [k for k in self._from(place + 1) if k != place]
        if full:
            self.full = max(self.full, to - bet)
            self.may_raise = {*others}
        else:
            self.may_raise = {k for k in others if k in self.pending and k in self.may_raise}
        self.pending = others

    def _return(self) -> None:
        """Give back what nobody matched."""
        put = self.put
        most = max(put)
        second = sorted(put)[-2]
        if most > second:
            place = put.index(most)
            self.played.uncalled = place, most - second
            put[place] = second
        self.played.put = put


def _deal(played: Played) -> None:
    """The cards of each street that was reached."""
    board = played.hand.board or ()
    streets = len(HOLDEM_STREETS) if played.showdown else len(played.moves)
    if len(board) < HOLDEM_BOARDS[streets - 1] or None in board:
        raise CannotHold("board cards that the log leaves out")
    played.dealt = [board[HOLDEM_BOARDS[k - 1] : HOLDEM_BOARDS[k]] for k in range(1, streets)]
    if played.showdown and any(
        None in played.seats[k].hole or len(played.seats[k].hole) != 2 for k in played.live
    ):
        raise CannotHold("unknown cards at the showdown")
    cards = [
        card for cards in (played.board, *(seat.hole for seat in played.seats)) for card in cards if card
    ]
    if len({*cards}) < len(cards):
        raise CannotHold("a card that is dealt twice")


def _pay(played: Played) -> None:
    """The pots, split as they were paid: to whole chips, the odd ones to the first place, or to fractions."""
    deltas = [seat.delta for seat in played.seats]
    if None in deltas:
        raise CannotHold("a result that the log does not tell")
    for fractions in (False, True):
        played.pots = _pots(played, fractions)
        if played.pots and _is_paid(played, deltas):
            played.fractions = fractions
            return
    raise CannotHold("paid otherwise than hold'em pays")


def _is_paid(played: Played, deltas: Sequence[float | None]) -> bool:
    got = [sum(pot.paid.get(place, 0.0) for pot in played.pots) for place in range(len(deltas))]
    return all(
        abs(won - put - (delta or 0.0)) < _CHIPS
        for won, put, delta in zip(got, played.put, deltas, strict=True)
    )


def _pots(played: Played, fractions: bool) -> list[Pot]:
    """The main pot and the side pots; none if whole chips are asked for and there are others."""
    chips: dict[tuple[int, ...], float] = {}
    below = 0.0
    for level in sorted({*played.put} - {0.0}):
        players = tuple(place for place in played.live if played.put[place] >= level)
        size = sum(min(put, level) - min(put, below) for put in played.put)
        # Dead chips above what the live put in belong to the last pot.
        key = players or next(reversed(chips))
        chips[key] = chips.get(key, 0.0) + size
        below = level
    if not fractions and not all(float(size).is_integer() for size in (*chips.values(), *played.put)):
        return []
    return [Pot(size, players, _split(played, size, players, fractions)) for players, size in chips.items()]


def _split(played: Played, chips: float, players: tuple[int, ...], fractions: bool) -> dict[int, float]:
    winners = players
    if len(players) > 1:
        strengths = {place: _strength((*played.seats[place].hole, *played.board)) for place in players}
        best = max(strengths.values())
        winners = tuple(place for place in players if strengths[place] == best)
    if fractions:
        return dict.fromkeys(winners, chips / len(winners))
    share, odd = divmod(chips, len(winners))
    return {place: share + (odd if place == winners[0] else 0.0) for place in winners}


def _strength(cards: Cards) -> int:
    """The strength of the best five of some cards; more is better."""
    codes = np.array([CARD_CODE[card or ""] for card in cards], np.int8)
    return int(strength_of(codes, len(codes)))
