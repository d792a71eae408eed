"""All matches of a player in one picture: one labelled line per match, their mean and its 95% band."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

import numpy as np
from numpy.typing import NDArray

from ..analytics.intervals import quantiles
from ..analytics.views import queries
from . import PlotStyle
from .event_plots import EventCurve, Total, save_curves
from .matches import MatchName, ids, name_of
from .plots import Series

if TYPE_CHECKING:
    from ..analytics.store import Store

_SIDES: Final[tuple[Literal["left", "right"], ...]] = ("left", "right")
_FEWEST: Final = 2
"""Matches of which a mean is drawn at least."""


def mean_of(runs: Sequence[Series]) -> tuple[Series, Series]:
    """The mean of some bankrolls hand by hand, and half of its 95% interval.

    Over the matches that had so many hands: mean ± t × standard deviation / √n. It ends where fewer than half of the
    matches, or fewer than two, had so many.
    """
    most = max(map(len, runs), default=0)
    n, total = np.zeros(most), np.zeros(most)
    for run in runs:
        n[: len(run)] += 1
        total[: len(run)] += run
    upto = int(np.count_nonzero(n >= max(_FEWEST, len(runs) / 2)))
    n, mean = n[:upto], total[:upto] / n[:upto]
    squares = np.zeros(upto)
    for run in runs:
        part = run[:upto]
        squares[: len(part)] += (part - mean[: len(part)]) ** 2
    return mean, quantiles(n) * np.sqrt(squares / (n - 1) / n)


def _labels(player: str, seats: Sequence[tuple[MatchName, int]]) -> list[str]:
    """What each match is called: the others at its table, and its file where that is not enough."""
    others = [
        "v " + " + ".join(name for seat, name in enumerate(match.players) if seat != own)
        for match, own in seats
    ]
    counts = Counter(others)
    files = Counter(match.path for match, _ in seats)
    found = []
    for said, (match, own) in zip(others, seats, strict=True):
        if counts[said] > 1:
            number = f" #{match.match_no}" if files[match.path] > 1 else ""
            said = f"{match.file}{number}" if len(counts) == 1 else f"{said}, {match.file}{number}"
        found.append(name_of(said, match.namesakes[own]))
    return found


def run_curves(store: "Store", matches: Sequence[MatchName], player: str) -> list[EventCurve]:
    """A player's matches of each event and game, the one in which it won most first, with their mean."""
    mine = [(match, seat) for match in matches for seat, name in enumerate(match.players) if name == player]
    found: dict[str, Any] = store.sql(
        queries("pages")["deltas"], ids=sorted(set(ids([match for match, _ in mine])))
    ).fetchnumpy()
    keys = np.asarray(found["match_id"]).astype(np.uint64), np.asarray(found["seat"]).astype(np.int64)
    deltas: NDArray[np.float64] = np.ma.filled(np.ma.asarray(found["delta"]).astype(np.float64), 0.0)
    groups: dict[tuple[str, str], list[tuple[MatchName, int]]] = {}
    for match, seat in mine:
        groups.setdefault((match.event, match.game), []).append((match, seat))
    curves = []
    for (event, game), seats in sorted(groups.items()):
        totals = []
        for label, (match, seat) in zip(_labels(player, seats), seats, strict=True):
            first, last = (int(np.searchsorted(keys[0], np.uint64(match.match_id), side)) for side in _SIDES)
            own = keys[1][first:last] == seat
            won = np.cumsum(deltas[first:last][own])
            if len(won):
                totals.append(Total(label, None, won))
        if not totals:
            continue
        totals.sort(key=lambda one: (-one.chips, one.player))
        mean = None
        if len(totals) >= _FEWEST:
            middle, half = mean_of([one.bankroll for one in totals])
            mean = Total(f"mean of {len(totals)}", None, middle, half=half)
        curves.append(EventCurve(event, game, len(seats), tuple(totals), player, mean))
    return curves


def save_runs(
    store: "Store",
    matches: Sequence[MatchName],
    player: str,
    path: Path,
    title: str = "",
    style: PlotStyle = PlotStyle.PAGE,
) -> None:
    """Write the picture of a player's matches to FILE.png or FILE.svg; UserError as of `save_curves`."""
    save_curves(run_curves(store, matches, player), path, title, style)
