"""The data of the interactive curves: a script `plots/NAME.js` next to each picture, loaded where it is shown.

A curve that two pages show is written once. The script is one call with deflated JSON, as the files of hands are.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from .. import plots
from ..event_plots import EventCurve, Total
from ..matches import name_of
from ..plots import Series
from ..terminal import printable
from .matches import packed

MOST_VALUES: Final = 240_000
"""The most values of one file: some 600 kB."""
MOST_POINTS: Final = 4000
"""The most points of a curve; up to so many hands all are there."""
_FEWEST_CELLS: Final = 20
_SELDOM: Final = 50
"""A curve with a value at fewer than one in so many hands is written as separate points."""
_LONGEST_NAME: Final = 60
_DIGITS: Final = 2

Hands = NDArray[np.int64]


def name(player: str, seat: int | None) -> str:
    """A name as the list of curves shows it: escapes for control characters, cut to `_LONGEST_NAME`."""
    shown = printable(name_of(player, seat))
    return shown if len(shown) <= _LONGEST_NAME else f"{shown[: _LONGEST_NAME - 1]}…"


def kept_hands(lines: Sequence[tuple[Hands, Series]], kinds: int) -> Hands:
    """The hands at which all curves are shown: all, or each stretch's first and last and every curve's extremes in it.

    lines  of each player the hands, rising, and its bankroll after them
    kinds  values that a point of a player has
    With very many players the stretches would be few; then the hands are evenly spaced.
    """
    every = np.unique(np.concatenate([hands for hands, _ in lines])) if lines else np.zeros(0, np.int64)
    most = min(MOST_POINTS, MOST_VALUES // max(len(lines) * kinds, 1))
    if len(every) <= most:
        return every
    cells = most // (2 * len(lines) + 2)
    if cells < _FEWEST_CELLS:
        return every[np.unique(np.linspace(0, len(every) - 1, max(most, 2)).astype(np.int64))]
    edges = np.linspace(0, len(every), cells + 1).astype(np.int64)
    kept = [every[edges[:-1]], every[edges[1:] - 1]]
    limits = np.append(every[edges[:-1]], every[-1] + 1)
    for hands, values in lines:
        for begin, end in zip(*(np.searchsorted(hands, limits)[side] for side in _ENDS), strict=True):
            part = values[begin:end]
            if len(part) and not np.isnan(part).all():
                kept.append(hands[begin + np.array([np.nanargmin(part), np.nanargmax(part)])])
    return np.unique(np.concatenate(kept))


_ENDS: Final = (slice(None, -1), slice(1, None))


def at(kept: Hands, hands: Hands, values: Series) -> Series:
    """A curve at some hands: after the last own hand up to there; NaN before the first one and after the last."""
    if not len(hands):
        return np.full(len(kept), np.nan)
    places = np.searchsorted(hands, kept, "right") - 1
    found = values[np.maximum(places, 0)]
    return np.where((kept < hands[0]) | (kept > hands[-1]), np.nan, found)


def _points(values: Series, kept: Hands, hands: Hands) -> Series:
    """A curve with values at some hands only: these hands and values."""
    there = ~np.isnan(values)
    found = np.full(len(kept), np.nan)
    _, mine, own = np.intersect1d(kept, hands[there], assume_unique=True, return_indices=True)
    found[mine] = values[there][own]
    return found


def _told(lines: Sequence[tuple[Hands, Series | None]]) -> Hands:
    """The hands at which curves of few points have a value, thinned evenly to half of `MOST_POINTS`."""
    few = [
        hands[known]
        for hands, values in lines
        if values is not None and _SELDOM * len(known := np.flatnonzero(~np.isnan(values))) < len(values)
    ]
    every = np.unique(np.concatenate(few)) if few else np.zeros(0, np.int64)
    if len(every) <= MOST_POINTS // 2:
        return every
    return every[np.linspace(0, len(every) - 1, MOST_POINTS // 2).astype(np.int64)]


def _digits(values: Sequence[Series]) -> int:
    """Digits behind the point that some curves need, at most two."""
    known = np.concatenate([one[~np.isnan(one)] for one in values]) if values else np.zeros(0)
    return next(
        (k for k in range(_DIGITS) if np.allclose(np.round(known, k), known, rtol=0, atol=1e-6)), _DIGITS
    )


def steps(values: Series, digits: int) -> list[int | None]:
    """A curve as whole steps of 10^-digits: the first value, then differences from the last known one; None for NaN."""
    known = ~np.isnan(values)
    told: list[int | None] = [None] * len(values)
    whole = np.rint(values[known] * 10**digits).astype(np.int64)
    for place, step in zip(np.flatnonzero(known).tolist(), np.diff(whole, prepend=0).tolist(), strict=True):
        told[place] = step
    return told


def _player(shown: str, colour: int, curves: Mapping[str, Series]) -> dict[str, Any]:
    """A player's curves; a curve without a value is left out."""
    there = {kind: values for kind, values in curves.items() if not np.isnan(values).all()}
    parts = {}
    for kind, values in there.items():
        digits = _digits([values])
        parts[kind] = [digits, steps(values, digits)]
    return {"name": shown, "colour": colour, "curves": parts}


def of_match(curve: plots.Curve) -> dict[str, Any]:
    """The data of a match's curves, by seat.

    x        steps between the hands shown, counted from 1; 0 is the beginning
    players  name, colour (its place) and curves: by kind the digits behind the point, and `steps`
    match    its address
    lock     as in `plots.Curve`
    """
    lines = [plots.with_opening(line) for line in curve.lines]
    kept = kept_hands([(line.hands, line.bankroll) for line in lines], 5)
    kept = np.union1d(kept, _told([(line.hands, line.adjusted) for line in curve.lines]))
    players = []
    for place, (line, bare) in enumerate(zip(lines, curve.lines, strict=True)):
        own = {"bankroll": line.bankroll}
        if plots.differs(bare):
            own["written"] = line.written
        shown = {kind: at(kept, line.hands, values) for kind, values in own.items()}
        if not np.isnan(bare.adjusted).all():
            shown["adjusted"] = _points(line.adjusted, kept, line.hands)
            shown["half"] = _points(line.half, kept, line.hands)
        shown["showdown"] = at(kept, line.hands, np.append(0.0, bare.showdown)[: len(line.hands)])
        shown["no showdown"] = at(kept, line.hands, np.append(0.0, bare.non_showdown)[: len(line.hands)])
        players.append(_player(name(line.player, line.namesake), place, shown))
    return {
        "x": steps(kept.astype(np.float64), 0),
        "players": players,
        "match": curve.match.address,
        "lead": max(range(len(lines)), key=lambda k: _end(lines[k].bankroll)) if lines else 0,
        "lock": curve.lock,
    }


def _end(values: Series) -> float:
    known = values[~np.isnan(values)]
    return float(known[-1]) if len(known) else -np.inf


def of_event(curve: EventCurve, addresses: Mapping[int, str]) -> dict[str, Any]:
    """The data of an event's curves, the winner first; x counts each player's own hands.

    As of `of_match`; in place of match a player has `match` and `hand`, steps of places in `matches` and of
    hand_index: the hand that each point came after, None at the beginning.
    """

    def begun(values: Series, first: float = 0.0) -> Series:
        return np.append(first, values)

    lines = [(np.arange(len(one.bankroll) + 1), begun(one.bankroll)) for one in curve.totals]
    kept = kept_hands(lines, 5)
    kept = np.union1d(kept, _told([(np.arange(len(one.bankroll)) + 1, one.adjusted) for one in curve.totals]))
    order = {match: k for k, match in enumerate(dict.fromkeys(m for one in curve.totals for m in one.played))}
    players = []
    for place, (one, (hands, bankroll)) in enumerate(zip(curve.totals, lines, strict=True)):
        shown = {"bankroll": at(kept, hands, bankroll)}
        if one.adjusted is not None and one.half is not None:
            shown["adjusted"] = _points(begun(one.adjusted), kept, hands)
            shown["half"] = _points(begun(one.half, np.nan), kept, hands)
        told = _player(name(one.player, one.namesake), place, shown)
        matches, indices = _where(one)
        places = np.array([order[match] for match in one.played], np.float64)[matches]
        for key, values in (("match", places), ("hand", indices.astype(np.float64))):
            told[key] = steps(at(kept, hands, begun(values, np.nan)), 0)
        players.append(told)
    return {
        "x": steps(kept.astype(np.float64), 0),
        "players": players,
        "matches": [addresses[match] for match in order],
        "lead": 0,
    }


def _where(total: Total) -> tuple[Hands, Hands]:
    """The place in `played` and the hand_index of each of a player's hands."""
    sizes = [len(indices) for indices in total.played.values()]
    found = [*total.played.values()] or [np.zeros(0, np.int64)]
    return np.repeat(np.arange(len(sizes)), sizes), np.concatenate(found)


def script(key: str, data: Mapping[str, Any]) -> str:
    """The text of the file of a curve; key: its name, as the page asks for it."""
    return f'railbirdCurve("{key}","{packed(json.dumps(data, separators=(",", ":")))}");\n'
