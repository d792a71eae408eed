"""Antes, blinds and straddles of a hand, as hand histories name them."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final, NamedTuple

from .hands import Action, CannotHold, Hand, Seat

ANTE: Final = "ante"
SMALL: Final = "small blind"
BIG: Final = "big blind"
STRADDLE: Final = "straddle"
EXTRA: Final = "extra blind"
"""A blind of a player who has just sat down: it does not change who acts first."""

_CHIPS: Final = 1e-6


class Post(NamedTuple):
    """Chips that a player puts in; all_in: all that it has."""

    place: int
    kind: str
    chips: float
    all_in: bool


class Posts(NamedTuple):
    """The posts of a hand in their order, and their sums by place: antes are no bet, live ones are.

    places  of the small and the big blind
    """

    all: tuple[Post, ...]
    antes: tuple[float, ...]
    live: tuple[float, ...]
    places: tuple[int, int]

    @property
    def has_dead_blinds(self) -> bool:
        """Whether the antes are dead blinds of players who missed theirs.

        An ante is paid by all, or for all by the big blind or the button.
        """
        n = len(self.antes)
        payers = [place for place, chips in enumerate(self.antes) if chips]
        return bool(payers) and len(payers) < n and payers not in ([blind_places(n)[1]], [n - 1])

    @property
    def last(self) -> int:
        """The place of the largest blind or straddle, after which the first player acts."""
        turns = [post for post in self.all if post.kind not in (ANTE, EXTRA)]
        return max(turns, key=lambda post: (self.live[post.place], post.kind == BIG)).place if turns else -1


def blind_places(players: int) -> tuple[int, int]:
    """The places of the small and the big blind."""
    return (1, 0) if players == 2 else (0, 1)


def posts_of(hand: Hand, seats: Sequence[Seat]) -> Posts:
    """The posts of a hand; CannotHold for more than the stack, or what no ante and no blind explains."""
    place = {seat.seat: k for k, seat in enumerate(seats)}
    rows = [act for act in hand.actions if act.action == "post" and act.chips_added]
    is_live = _live(hand, rows)
    small, big = blind_places(len(seats))
    if len(seats) == 2:
        posted = [
            max((row.chips_added or 0.0 for row in is_live if place[row.seat] == k), default=0.0)
            for k in (0, 1)
        ]
        if posted[small] > posted[big] > 0:
            # Some engines let the dealer of two post the big blind.
            small, big = big, small
    left = [seat.stack_start for seat in seats]
    antes, live = [0.0] * len(seats), [0.0] * len(seats)
    found = []
    most = max(
        (row.chips_added or 0.0 for row in rows if place[row.seat] == big and row in is_live), default=0.0
    )
    for row in rows:
        at, chips = place[row.seat], row.chips_added or 0.0
        stack = left[at]
        if stack is not None:
            if chips > stack + _CHIPS:
                raise CannotHold("a blind above the stack")
            left[at] = stack = stack - chips
        if row not in is_live:
            kind = ANTE
            antes[at] += chips
        else:
            live[at] += chips
            kind = {small: SMALL, big: BIG}.get(at, STRADDLE if live[at] > most else EXTRA)
        found.append(Post(at, kind, chips, stack is not None and stack <= _CHIPS))
    return Posts(tuple(found), tuple(antes), tuple(live), (small, big))


def _live(hand: Hand, rows: Sequence[Action]) -> set[Action]:
    """The posts that count as bets: those that a player's first decision finds in front of it."""
    live: set[Action] = set()
    antes: set[Action] = set()
    open_rows: list[list[Action]] = []
    for seat in {row.seat: None for row in rows}:
        own = [row for row in rows if row.seat == seat]
        first = next((a for a in hand.actions if a.seat == seat and a.action != "post"), None)
        if first is None or first.street > 0:
            open_rows.append(own)
            continue
        some = next(
            (
                chosen
                for count in range(len(own) + 1)
                for chosen in combinations(reversed(own), count)
                if abs(sum(row.chips_added or 0.0 for row in chosen) - first.pip_before) < _CHIPS
            ),
            None,
        )
        if some is None:
            raise CannotHold("posts that are neither antes nor blinds")
        live.update(some)
        antes.update(row for row in own if row not in some)
    # For players without a preflop decision: antes come before all blinds, and a player's own blind is its last post.
    first_live = min((row.seq for row in live), default=None)
    for own in open_rows:
        *before, last = own
        antes.update(before)
        is_ante = first_live is not None and last.seq < first_live and bool(antes)
        (antes if is_ante else live).add(last)
    return live
