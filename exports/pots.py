"""The pots of a hand that was played (`holdem`), split as they were paid."""

from collections.abc import Mapping, Sequence
from itertools import product
from math import ceil
from types import SimpleNamespace
from typing import Any, Final, NamedTuple

import numpy as np

from ..replay.cards import CARD_CODE
from ..replay.pots.hand_orders import low_of, order_of
from ..replay.pots.settling import strength_at
from .hands import CannotHold, Cards, Hand
from .holdem import CHIPS, Played, Pot, play
from .rules import Rules

_CENT: Final = 0.01


class _Way(NamedTuple):
    """A way to split pots.

    dead  antes are chips of the first pot, whoever paid how much of them
    unit  the least share, None for any fraction of a chip
    shared  odd units go round, one to each winner; else all to the first
    """

    dead: bool
    unit: float | None
    shared: bool


def replay(hand: Hand) -> Played:
    """A hand by the rules of hold'em or Omaha; CannotHold if it is none, or was paid otherwise.

    Without pots if the log does not tell the result.
    """
    played = play(hand)
    deltas = [seat.delta for seat in played.seats]
    if None in deltas:
        return played
    strengths = _strengths(played, deltas)
    antes = {*played.posts.antes}
    # Antes that are not equal are dead, unless that does not explain the pay.
    orders = (False,) if antes == {0.0} else (False, True) if len(antes) == 1 else (True, False)
    units = ((1.0, False), (None, False), (1.0, True), (_CENT, False), (_CENT, True))
    for dead, (unit, shared) in product(orders, units):
        way = _Way(dead, unit, shared)
        pots = _pots(played, strengths, way)
        paid = pots and _with_rake(played, pots, deltas)
        if paid:
            played.pots = paid
            played.dead, played.fractions, played.shared = dead, unit is None, shared or unit == _CENT
            return played
    raise CannotHold("paid otherwise than hold'em pays")


def _strengths(played: Played, deltas: Sequence[float | None]) -> dict[int, tuple[int, int]]:
    """By place, the strength of the hands that are compared, for the high and for the low half."""
    if not played.showdown:
        return {played.live[0]: (0, 0)}
    found = {}
    for place in played.live:
        won = (deltas[place] or 0.0) + played.put[place]
        hole = played.known(place)
        if hole:
            found[place] = _strength(played.rules, hole, played.board)
        elif won > CHIPS:
            raise CannotHold("unknown cards of a winner")
    return found


def _strength(rules: Rules, hole: Cards, board: Cards) -> tuple[int, int]:
    """The strength of a hand, more is better, and of its low hand, 0 for none."""
    own, others = ([CARD_CODE[card or ""] for card in cards] for cards in (hole, board))
    # What the rules of a table read of a hand.
    seen: Any = SimpleNamespace(
        match={"holes_used": rules.used},
        hand={"board_size": len(others)},
        players=[{"holes": [len(own), *own]}],
        board=others,
        cards=np.zeros(len(own) + len(others), np.int8),
    )
    high = order_of(seen, 0) if rules.short else strength_at(seen, 0)
    return int(high), int(low_of(seen, 0)) if rules.low else 0


def _pots(played: Played, strengths: Mapping[int, tuple[int, int]], way: _Way) -> list[Pot]:
    """The main pot and the side pots; none where they are no whole number of units."""
    antes = played.posts.antes
    put = [chips - ante for chips, ante in zip(played.put, antes, strict=True)] if way.dead else played.put
    chips: dict[tuple[int, ...], float] = {}
    if way.dead:
        chips[tuple(played.live)] = sum(antes)
    below = 0.0
    for level in sorted({*put} - {0.0}):
        players = tuple(place for place in played.live if put[place] >= level)
        size = sum(min(paid, level) - min(paid, below) for paid in put)
        # Chips above what the live put in belong to the last pot.
        key = players or next(reversed(chips))
        chips[key] = chips.get(key, 0.0) + size
        below = level
    # An uncalled bet is returned: if nobody else put chips in, the pot is empty.
    chips = chips or {tuple(played.live): 0.0}
    sizes = [*chips.values(), *played.put]
    if way.unit is not None and not all(_is_whole(size / way.unit) for size in sizes):
        return []
    return [
        Pot(size, players, _split(size, [place for place in players if place in strengths], strengths, way))
        for players, size in chips.items()
    ]


def _is_whole(number: float) -> bool:
    return abs(number - round(number)) < CHIPS


def _split(
    chips: float, players: Sequence[int], strengths: Mapping[int, tuple[int, int]], way: _Way
) -> dict[int, float]:
    """What each winner of a pot is paid; nobody if all throw their cards away."""
    if not players:
        return {}
    best = max(strengths[place][0] for place in players)
    low = max(strengths[place][1] for place in players)
    winners = [place for place in players if strengths[place][0] == best]
    if not low:
        return _shares(chips, winners, way)
    half = chips / 2 if way.unit is None else ceil(round(chips / way.unit) / 2) * way.unit
    paid = _shares(half, winners, way)
    lowest = [place for place in players if strengths[place][1] == low]
    for place, share in _shares(chips - half, lowest, way).items():
        paid[place] = paid.get(place, 0.0) + share
    return paid


def _shares(chips: float, winners: Sequence[int], way: _Way) -> dict[int, float]:
    if way.unit is None:
        return dict.fromkeys(winners, chips / len(winners))
    share, odd = divmod(round(chips / way.unit), len(winners))
    more = [int(k < odd) if way.shared else odd * (k == 0) for k in range(len(winners))]
    return {place: (share + one) * way.unit for place, one in zip(winners, more, strict=True)}


def _with_rake(played: Played, pots: list[Pot], deltas: Sequence[float | None]) -> list[Pot]:
    """The pots as they were paid; empty if the payments do not add up to the pots less the logged rake."""
    less = [-(delta or 0.0) - put for delta, put in zip(deltas, played.put, strict=True)]
    for pot in pots:
        for place, won in pot.paid.items():
            less[place] += won
    if all(abs(chips) < CHIPS for chips in less):
        return pots
    rake = played.hand.rake or 0.0
    if rake <= 0 or min(less) < -CHIPS or abs(sum(less) - rake) > CHIPS:
        return []
    found = []
    for pot in pots:
        paid = {}
        for place, won in pot.paid.items():
            taken = min(max(less[place], 0.0), won)
            less[place] -= taken
            paid[place] = won - taken
        found.append(pot._replace(paid=paid, rake=sum(pot.paid.values()) - sum(paid.values())))
    return found if all(abs(chips) < CHIPS for chips in less) else []
