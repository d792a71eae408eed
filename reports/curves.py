"""The bankroll curves of a match: what a plot draws, as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from .answers import MatchName, ids

if TYPE_CHECKING:
    from ..analytics.luck import Slopes
    from ..analytics.store import Store

BAND_FROM: Final = 6
"""Blocks or hands from which on a band is drawn: of fewer it would dwarf the curve and say nothing."""

Series = NDArray[np.float64]
_NOUGHT: Final = 1e-6


@dataclass(frozen=True)
class Line:
    """One player's curves, chips after each hand that the player was dealt into.

    namesake      the seat where the match holds the name twice
    hands         those hands, counted from 1; who is out of chips is dealt into no more
    bankroll      as logged
    written       as the written rules would have paid; NaN where they cannot be told
    showdown      won in hands that went to a showdown
    non_showdown  won in all others
    adjusted      bankroll less what the cards brought, as `analytics.luck` has it; NaN where nothing is known of them
    half          half of the 95% band of adjusted, over what is drawn anew; NaN for the first `BAND_FROM` - 1
    """

    player: str
    namesake: int | None
    hands: NDArray[np.int64]
    bankroll: Series
    written: Series
    showdown: Series
    non_showdown: Series
    adjusted: Series
    half: Series

    @property
    def opening(self) -> float:
        """The bankroll before his first hand; NaN where he has none."""
        return (
            float((self.bankroll - self.showdown - self.non_showdown)[:1].sum())
            if len(self.bankroll)
            else np.nan
        )


Brought = tuple[NDArray[np.int64], Series, Series]
Luck = Mapping[tuple[int, int], Brought]
"""By match_id and seat: hand_index, chips that the cards of the hand brought, half of the 95% band so far."""


def luck_of(store: "Store", matches: Sequence[MatchName], slopes: "Slopes | None" = None) -> Luck:
    """What the cards brought in some matches, by the slopes of other matches.

    slopes  those of `analytics.luck.fit_store`, which are fitted where none are given
    Counts equities that the store lacks. Nothing of seats whose cards nothing is known of.
    """
    from ..analytics.luck import half_band, hands

    frame = hands(store, slopes, ids(matches))
    found: dict[tuple[int, int], Brought] = {}
    parts = frame.partition_by(["match_id", "seat"], as_dict=True, maintain_order=True)
    for (match, seat), rows in parts.items():
        adjusted = rows["chance_adjusted"].to_numpy()
        brought = rows["delta"].to_numpy() - adjusted
        if brought.any():
            half = half_band(np.cumsum(adjusted), rows["cluster"].to_numpy(), BAND_FROM)
            found[int(match), int(seat)] = (rows["hand_index"].to_numpy().astype(np.int64), brought, half)
    return found


def _adjusted(bankroll: Series, hands: NDArray[np.int64], luck: Brought | None) -> tuple[Series, Series]:
    """A bankroll without what the cards brought, and half of its 95% band hand by hand."""
    if luck is None or not len(bankroll):
        return np.full(len(bankroll), np.nan), np.full(len(bankroll), np.nan)
    indices, chips, band = luck
    brought, half = np.zeros(len(bankroll)), np.full(len(bankroll), np.nan)
    places = np.searchsorted(hands, indices + 1)
    known = (places < len(hands)) & (hands[np.minimum(places, len(hands) - 1)] == indices + 1)
    brought[places[known]] = chips[known]
    half[places[known]] = band[known]
    return bankroll - np.cumsum(brought), half


@dataclass(frozen=True)
class Curve:
    """A match's curves by seat; all its `hands`, counted from 1; `blocks` begin a bounty block.

    From hand `lock` on the leader may fold every hand and win the match.
    """

    match: MatchName
    hands: NDArray[np.int64]
    lines: tuple[Line, ...]
    blocks: NDArray[np.int64]
    lock: int | None = None


def lock_of(store: "Store", match: MatchName) -> int | None:
    """The hand, counted from 1, from which on the leader may fold every hand and win; None where there is none."""
    rows = store.sql("select hand_index + 1 from lock_points where match_id = $match", match=match.match_id)
    found: list[tuple[int | None]] = rows.fetchall()
    return found[0][0] if found else None


def of_match(store: "Store", match: MatchName, lock: int | None = None, luck: Luck | None = None) -> Curve:
    """The curves of a match, as `bankroll_curve` has them; lock: what `lock_of` says, luck: what `luck_of` does."""
    return of_matches(store, [match], {match.match_id: lock}, luck)[match.match_id]


def of_matches(
    store: "Store",
    matches: Sequence[MatchName],
    locks: Mapping[int, int | None],
    luck: Luck | None = None,
) -> dict[int, Curve]:
    """The curves of some matches, read at once, by match_id."""
    # A row without a delta leaves the bankroll where it was.
    found: dict[str, Any] = store.sql(
        "select match_id, seat, hand_index, hand_no, bankroll, bankroll_written, showdown, non_showdown "
        "from bankroll_curve where list_contains($ids, match_id) order by match_id, seat, hand_index",
        ids=ids(matches),
    ).fetchnumpy()
    numbers = np.asarray(found["match_id"])
    values = {
        name: np.ma.filled(np.ma.asarray(found[name]).astype(np.float64), np.nan)
        for name in ("bankroll", "bankroll_written", "showdown", "non_showdown")
    }
    curves = {}
    for match in matches:
        begin, end = (
            int(np.searchsorted(numbers, np.uint64(match.match_id), side)) for side in ("left", "right")
        )
        mine = slice(begin, end)
        seats = np.asarray(found["seat"])[mine]
        played = np.asarray(found["hand_index"])[mine].astype(np.int64) + 1
        lines = []
        for seat, who in enumerate(zip(match.players, match.namesakes, strict=True)):
            own = seats == seat
            bankroll, written, shown, hidden = (values[name][mine][own] for name in values)
            adjusted, half = _adjusted(bankroll, played[own], (luck or {}).get((match.match_id, seat)))
            lines.append(Line(*who, played[own], bankroll, written, shown, hidden, adjusted, half))
        hands, first = np.unique(played, return_index=True)
        hand_nos = np.asarray(found["hand_no"])[mine][first]
        every = match.rules.cluster_hands
        begins = hand_nos % every == 1 % every if every else np.zeros(len(hands), bool)
        curves[match.match_id] = Curve(match, hands, tuple(lines), hands[begins], locks.get(match.match_id))
    return curves


def opening(curve: Curve) -> list[float]:
    """Of each player the bankroll before his first hand."""
    return [line.opening for line in curve.lines if len(line.bankroll)]


def with_opening(line: Line) -> Line:
    """A line of chips held from before the first hand on, which is hand 0."""

    def put(first: float, values: Series) -> Series:
        return np.concatenate([[first], values]) if len(values) else values

    return replace(
        line,
        hands=np.concatenate([line.hands[:1] - 1, line.hands]),
        bankroll=put(line.opening, line.bankroll),
        written=put(line.opening, line.written),
        adjusted=put(line.opening, line.adjusted),
        half=put(np.nan, line.half),
    )


def begins_at_nought(curve: Curve) -> bool:
    """True where every bankroll begins at 0: a log may begin within a match, and in Koper stacks go on."""
    return max(map(abs, opening(curve)), default=0.0) < _NOUGHT


def begins_with_chips(curve: Curve) -> bool:
    """True where bankrolls are the chips that players hold: they begin above 0, and nobody's below."""
    return not begins_at_nought(curve) and min(opening(curve)) > -_NOUGHT


def downsample(values: Series, cells: int) -> NDArray[np.intp]:
    """Indices that keep a curve's look: first, lowest, highest and last value of `cells` stretches."""
    size = len(values)
    if size <= 4 * cells:
        return np.arange(size)
    edges = np.linspace(0, size, cells + 1).astype(np.intp)
    kept: list[int] = []
    for start, end in zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True):
        part = values[start:end]
        if np.isnan(part).all():
            kept += [start, end - 1]
        else:
            kept += [start, start + int(np.nanargmin(part)), start + int(np.nanargmax(part)), end - 1]
    return np.unique(np.array(kept, np.intp))
