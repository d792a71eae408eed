"""Hold'em and Omaha as readers of hand histories play them: whose turn it is and what may be bet.

A hand is replayed by these rules from its rows. A hand of another game, or one that they would pay otherwise (`pots`),
cannot be held by the formats of hand histories.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from math import inf
from typing import Final, NamedTuple

from ..replay.games import HOLDEM_BOARDS, HOLDEM_STREETS
from ..replay.positions import PREFLOP_ORDER
from .hands import Action, CannotHold, Cards, Hand, Seat, check_sound
from .posts import Posts, posts_of
from .rules import FIXED, Limit, Rules, least_bet, limit_of, rules_of

_POSITIONS: Final = PREFLOP_ORDER[-2:] + PREFLOP_ORDER[:-2]
"""From the player after the dealer on."""
MOST_CHAIRS: Final = 10
CHIPS: Final = 1e-4
"""What numbers that are equal may differ by: logs print thirds with six digits."""


class Move(NamedTuple):
    """A decision: the place that acts, fold, check, call, bet or raise, its total of the street and chips added."""

    place: int
    kind: str
    to: float
    added: float
    all_in: bool


class Pot(NamedTuple):
    """A pot: its chips, the places that play for it, what each winner is paid, and what the house takes."""

    chips: float
    players: tuple[int, ...]
    paid: dict[int, float]
    rake: float = 0.0


@dataclass
class Played:
    """A hand replayed. Places count from the player after the dealer, who is the last; lists are by place.

    stacks     at the start, None where the log limits nobody
    moves      by street
    dealt      the cards of each street, of those that were reached
    put        chips put in, without those that nobody matched
    uncalled   place and chips that came back to it
    live       places that did not fold
    pots       none where the log tells no result, or not all cards that it needs
    dead       antes belong to the first pot, whoever can pay how much
    fractions  pots are split to fractions of a chip
    shared     odd chips go round, one to each winner
    illegal    the first thing that the rules do not allow, "" if there is none
    """

    hand: Hand
    rules: Rules
    limit: Limit
    seats: list[Seat]
    stacks: list[float | None]
    posts: Posts
    moves: list[list[Move]] = field(default_factory=lambda: [[]])
    dealt: list[Cards] = field(default_factory=list)
    put: list[float] = field(default_factory=list)
    uncalled: tuple[int, float] | None = None
    live: list[int] = field(default_factory=list)
    pots: list[Pot] = field(default_factory=list)
    dead: bool = False
    fractions: bool = False
    shared: bool = False
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
    def chairs(self) -> list[int]:
        """Numbers of chairs by place, clockwise: seats from 1, or places if the seats are in another order."""
        seats = [seat.seat for seat in self.seats]
        falls = sum(a > b for a, b in zip(seats, seats[1:] + seats[:1], strict=True))
        return (
            [seat + 1 for seat in seats]
            if falls == 1 and max(seats) < MOST_CHAIRS
            else [*range(1, len(seats) + 1)]
        )

    @property
    def table_size(self) -> int:
        """Chairs at the table."""
        return max(min(len(self.hand.match.players), MOST_CHAIRS), *self.chairs)

    @property
    def places(self) -> tuple[int, int]:
        """Who posts the small and the big blind."""
        return self.posts.places

    @property
    def blinds(self) -> tuple[float, float]:
        """The small and the big blind: those posted, of others those of the match."""
        small, big = (self.posts.live[place] for place in self.places)
        usual = self.hand.match.blinds or (small, big)
        return small or usual[0], big or usual[-1] or max(self.posts.live)

    @property
    def big_blind(self) -> float:
        """The least bet."""
        return least_bet(self.hand, self.blinds[1])

    def known(self, place: int) -> Cards:
        """The hole cards of a place if all are known, else none."""
        hole = self.seats[place].hole
        return hole if len(hole) == self.rules.holes and None not in hole else ()

    def showers(self) -> Iterator[int]:
        """Who shows or mucks at the showdown, in turn: the last to bet on the last street, else the first to act."""
        bettors = [move.place for move in self.moves[-1] if move.kind in ("bet", "raise")]
        first = bettors[-1] if bettors and bettors[-1] in self.live else min(self.live)
        n = len(self.seats)
        yield from (place % n for place in range(first, first + n) if place % n in self.live)

    def mucks(self, place: int) -> bool:
        """Whether a place throws its cards away at the showdown: they are not shown, and win nothing."""
        return not self.known(place) or not (self.seats[place].shown or self._wins(place))

    def _wins(self, place: int) -> bool:
        return any(place in pot.paid for pot in self.pots)

    def require_legal(self) -> None:
        """CannotHold for a format whose readers play the hand again."""
        if self.illegal:
            raise CannotHold(self.illegal)

    def require_result(self) -> None:
        """CannotHold for a format that says what was paid."""
        if not self.pots:
            raise CannotHold("a result that the log does not tell")


def called_before(hand: Hand) -> float:
    """What a call before the flop costs in all as the first player decides: more than the bets if a blind is short."""
    first = next((act for act in hand.actions if act.action != "post"), None)
    if first is None or first.street or first.stack_before == first.to_call:
        return 0.0
    return first.pip_before + first.to_call


def play(hand: Hand) -> Played:
    """The betting and the cards of a hand by the rules; CannotHold if it is none of hold'em or Omaha."""
    rules = rules_of(hand.match.rules)
    check_sound(hand)
    if len(hand.board or ()) > HOLDEM_BOARDS[-1]:
        raise CannotHold("a board that goes on after the river")
    if hand.second_board:
        raise CannotHold("a second board")
    if hand.dealer_seat is None or len(hand.seats) < 2:
        raise CannotHold("no dealer")
    if hand.dealer_seat not in {seat.seat for seat in hand.seats}:
        raise CannotHold("a dealer who plays no hand")
    seats = _in_turn(hand)
    posts = posts_of(hand, seats)
    big = posts.live[posts.places[1]] or (hand.match.blinds or (0.0,))[-1]
    played = Played(hand, rules, limit_of(hand, big), seats, [seat.stack_start for seat in seats], posts)
    if not any(posts.live):
        raise CannotHold("no blinds")
    _Betting(played).play()
    _deal(played)
    return played


def _in_turn(hand: Hand) -> list[Seat]:
    """The seats from the one after the dealer on. Seats may be numbered in another order: positions say who is next."""
    if {seat.position for seat in hand.seats} <= {*_POSITIONS}:
        seats = sorted(hand.seats, key=lambda seat: _POSITIONS.index(seat.position))
        dealer = next(k for k, seat in enumerate(seats, 1) if seat.seat == hand.dealer_seat)
        return seats[dealer:] + seats[:dealer]
    table = len(hand.match.players)
    return sorted(hand.seats, key=lambda seat: (seat.seat - (hand.dealer_seat or 0) - 1) % table)


class _Betting:
    """The betting of a hand, move by move; what is not allowed is noted and done all the same."""

    def __init__(self, played: Played) -> None:
        self.played, self.match = played, played.hand.match
        n, posts = len(played.seats), played.posts
        self.place = {seat.seat: k for k, seat in enumerate(played.seats)}
        self.put = [*posts.live]
        self.left = [
            inf if stack is None else max(stack - live - ante, 0.0)
            for stack, live, ante in zip(played.stacks, posts.live, posts.antes, strict=True)
        ]
        self.pip = [*posts.live]
        self.live = {*range(n)}
        self.street = 0
        self.bets = 1
        self.full = self.least = played.big_blind
        # The first raise after a straddle is by as much as the straddle; with fixed bets it is by the bet.
        if (most := max(played.posts.live)) >= 2 * self.least - CHIPS:
            self.full = most
        self.pending = self._from((1 if n == 2 and posts.last == 0 else posts.last + 1) % n)
        self.may_raise = {*self.pending}
        self._skip()

    def _from(self, first: int) -> list[int]:
        """Who can still act, in turn."""
        n = len(self.played.seats)
        return [k % n for k in range(first, first + n) if k % n in self.live and self.left[k % n] > 0]

    def _skip(self) -> None:
        """The only player with chips is not asked once it has matched all bets."""
        if len(self.pending) == 1 and self.pip[self.pending[0]] >= max(self.pip):
            self.pending = []

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
        if self.pending and len(self.live) > 1:
            self._wrong("a street that ends too early")
        if not self.live:
            raise CannotHold("a hand in which all fold")
        self.played.live = sorted(self.live)
        self._return()

    def _next_street(self) -> None:
        if self.pending and len(self.live) > 1:
            self._wrong("a street that ends too early")
        self.street += 1
        self.played.moves.append([])
        self.pip = [0.0] * len(self.pip)
        self.full, self.bets = self.least, 0
        self.pending = self._from(0)
        if len(self.pending) == 1:
            self.pending = []
        self.may_raise = {*self.pending}

    def _act(self, action: Action) -> None:
        if not self.street <= action.street < len(HOLDEM_STREETS):
            raise CannotHold("streets that are none of hold'em")
        while self.street < action.street:
            self._next_street()
        place = self.place[action.seat]
        if place not in self.live:
            raise CannotHold("an action of a player who has folded")
        if not self.pending or len(self.live) == 1:
            self._wrong("an action after the betting is over")
        elif place != self.pending[0]:
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
            if kind != action.action or abs(to - (action.amount_to or 0.0)) > CHIPS:
                self._wrong("a check of a bet, or a call of another amount")
                kind, to = action.action, action.amount_to or 0.0
            if to_call <= 0 and not any(self.left[k] > 0 for k in self.live - {place}):
                self._wrong("a check where all others are all-in")
        else:
            to = action.amount_to or 0.0
            kind = "raise" if bet > 0 else "bet"
            self._raise(place, to, bet)
        added = to - self.pip[place]
        if added > self.left[place] + CHIPS or added < 0:
            raise CannotHold("more chips than the stack has")
        self.left[place] = max(self.left[place] - added, 0.0)
        self.put[place] += added
        self.pip[place] = to
        self.played.moves[-1].append(Move(place, kind, to, added, self.left[place] <= CHIPS and added > 0))

    def _raise(self, place: int, to: float, bet: float) -> None:
        all_in = to - self.pip[place] >= self.left[place] - CHIPS
        if all(self.pip[k] + self.left[k] <= bet for k in self.live - {place}):
            self._wrong("a raise that nobody can answer")
        if place not in self.may_raise:
            self._wrong("a raise after an all-in that was no full raise")
        limit, caps = self.played.limit, self.match.raise_caps
        if limit.kind == FIXED:
            size = limit.size(self.street)
            if abs(to - bet - size) > CHIPS and not (all_in and to - bet < size):
                self._wrong("a raise of another size")
            if caps is not None and self.bets >= caps[self.street]:
                self._wrong("more raises than the limit")
            full = to - bet >= size - CHIPS
        else:
            full = to - bet >= self.full - CHIPS
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
        """Give back what nobody matched. An ante is no bet: it is in the pot."""
        put, antes = self.put, self.played.posts.antes
        most = max(put)
        second = sorted(put)[-2]
        if most > second:
            place = put.index(most)
            self.played.uncalled = place, most - second
            put[place] = second
        self.played.put = [chips + ante for chips, ante in zip(put, antes, strict=True)]


def _deal(played: Played) -> None:
    """The cards of each street that was reached."""
    board = played.hand.board or ()
    streets = len(HOLDEM_STREETS) if played.showdown else len(played.moves)
    if len(board) < HOLDEM_BOARDS[streets - 1] or None in board:
        raise CannotHold("board cards that the log leaves out")
    played.dealt = [board[HOLDEM_BOARDS[k - 1] : HOLDEM_BOARDS[k]] for k in range(1, streets)]
    if any(len(seat.hole) > played.rules.holes for seat in played.seats):
        raise CannotHold("more hole cards than the game deals")
    cards = [
        card for cards in (played.board, *(seat.hole for seat in played.seats)) for card in cards if card
    ]
    if len({*cards}) < len(cards):
        raise CannotHold("a card that is dealt twice")
