"""What `mit_reader` makes of a log.

A *position* is 0 for the dealer (small blind) of the hand, 1 for the big blind; a *seat* is 0 or 1 for the
whole match, in the order of the header's names. Streets are 0 preflop, 1 flop, 2 turn, 3 river. Chips are
whole numbers.
"""

from __future__ import annotations

from typing import TypedDict


class Action(TypedDict):
    """One action line; `amount` is the pip after a bet or raise, else None.

    The fields after `origin` tell the state before it: `to_call`, by how much the opponent's pip exceeds the
    own; `pot`, all that both put in; `pip`, the player's chips on this street; `stack`, what the player has.
    """

    line: int
    street: int
    player: int
    kind: str
    amount: int | None
    substitute: bool
    origin: str
    to_call: int
    pot: int
    pip: int
    stack: int


class Fault(TypedDict):
    """One fault line: kind illegal, misformatted, late or disconnected; `acknowledging` after the awards."""

    line: int
    player: int
    kind: str
    text: str
    acknowledging: bool


class StreetLine(TypedDict):
    """One street line: whole board; by position contributions, `Current stacks` if printed."""

    line: int
    street: int
    board: list[str]
    contributions: list[int]
    stacks: list[int] | None


class Hand(TypedDict):
    """One round; lists of two are by position. `contributions` are added up from blinds and actions."""

    number: int
    line: int
    players: list[str]
    seats: list[int]
    bankrolls: list[int]
    bounties: list[str | None]
    reset: bool
    hole: list[list[str]]
    board: list[str]
    streets: list[StreetLine]
    actions: list[Action]
    contributions: list[int]
    folded_by: int | None
    shows: list[list[str] | None]
    awards: list[int | None]
    hit_lines: list[bool]
    counts: list[int] | None
    faults: list[Fault]
    unknown: list[tuple[int, str]]


class Match(TypedDict):
    """One log; `names`, `final`, `evs` by seat. `evs`: (preflop, flop, turn) of the EV lines, or nothing."""

    header: str
    names: list[str]
    hands: list[Hand]
    final: list[int] | None
    evs: list[list[int]]
    unknown: list[tuple[int, str]]
