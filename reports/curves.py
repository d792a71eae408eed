"""The bankroll curves of a match: what a plot draws, as arrays."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from .answers import MatchName

if TYPE_CHECKING:
    from ..analytics.store import Store

BOUNTY_BLOCK: Final = 25
"""Hands from one deal of bounty ranks to the next (rules document of Bounty Hold'em)."""

Series = NDArray[np.float64]


@dataclass(frozen=True)
class Line:
    """One player's curves, chips after each hand that the player was dealt into.

    hands         those hands, counted from 1; who is out of chips is dealt into no more
    bankroll      as logged
    written       as the written rules would have paid; NaN where they cannot be told
    showdown      won in hands that went to a showdown
    non_showdown  won in all others
    adjusted      bankroll less what the cards brought, value - value_before of `equities`; NaN where none are known
    half          half of the 95% interval of adjusted: 1.96 x standard deviation of a hand x sqrt(hands so far)
    """

    player: str
    hands: NDArray[np.int64]
    bankroll: Series
    written: Series
    showdown: Series
    non_showdown: Series
    adjusted: Series
    half: Series


Luck = Mapping[tuple[int, int], tuple[NDArray[np.int64], Series]]
"""By match_id and seat: hand_index, and chips that the cards of the hand brought."""


def luck_of(store: "Store", matches: Sequence[MatchName]) -> Luck:
    """What the cards brought in some matches; counts equities that the store lacks, nothing where it cannot."""
    from ..storage.manifest import StoreError

    try:
        found: dict[str, Any] = store.sql(
            "select match_id, seat, hand_index, sum(value - value_before) as luck from equities"
            " where list_contains($ids, match_id) and value is not null and value_before is not null"
            " group by all order by match_id, seat, hand_index",
            ids=[match.match_id for match in matches],
        ).fetchnumpy()
    except (StoreError, OSError):
        return {}
    keys = np.stack([np.asarray(found["match_id"]), np.asarray(found["seat"]).astype(np.uint64)])
    if not keys.size:
        return {}
    begins = np.flatnonzero(np.any(keys[:, 1:] != keys[:, :-1], axis=0)) + 1
    parts = np.split(np.arange(keys.shape[1]), begins)
    hands = np.asarray(found["hand_index"]).astype(np.int64)
    luck = np.ma.filled(np.ma.asarray(found["luck"]).astype(np.float64), 0.0)
    return {(int(keys[0, part[0]]), int(keys[1, part[0]])): (hands[part], luck[part]) for part in parts}


def _adjusted(
    bankroll: Series, hands: NDArray[np.int64], luck: tuple[Any, Any] | None
) -> tuple[Series, Series]:
    """A bankroll without what the cards brought, and half of its 95% interval hand by hand."""
    if luck is None or not len(bankroll):
        return np.full(len(bankroll), np.nan), np.full(len(bankroll), np.nan)
    brought = np.zeros(len(bankroll))
    places = np.searchsorted(hands, luck[0] + 1)
    known = (places < len(hands)) & (hands[np.minimum(places, len(hands) - 1)] == luck[0] + 1)
    brought[places[known]] = luck[1][known]
    adjusted = bankroll - np.cumsum(brought)
    steps = np.diff(adjusted, prepend=0.0) if len(adjusted) else adjusted
    spread = float(np.nanstd(steps[1:], ddof=1)) if len(steps) > 2 else np.nan
    return adjusted, 1.96 * spread * np.sqrt(np.arange(1, len(adjusted) + 1))


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
    # A row without a delta leaves the bankroll where it was.
    found: dict[str, Any] = store.sql(
        "select seat, hand_index, hand_no, player, bankroll, bankroll_written, showdown, non_showdown "
        "from bankroll_curve where match_id = $match order by seat, hand_index",
        match=match.match_id,
    ).fetchnumpy()
    seats = np.asarray(found["seat"])
    played = np.asarray(found["hand_index"]).astype(np.int64) + 1
    lines = []
    for seat, player in enumerate(match.players):
        mine = seats == seat
        bankroll, written, showdown, non_showdown = (
            np.ma.filled(np.ma.asarray(found[name])[mine].astype(np.float64), np.nan)
            for name in ("bankroll", "bankroll_written", "showdown", "non_showdown")
        )
        brought = (luck or {}).get((match.match_id, seat))
        adjusted, half = _adjusted(bankroll, played[mine], brought)
        lines.append(Line(player, played[mine], bankroll, written, showdown, non_showdown, adjusted, half))
    hands, first = np.unique(played, return_index=True)
    numbers = np.asarray(found["hand_no"])[first]
    begins = numbers % BOUNTY_BLOCK == 1 if match.game == "bounty" else np.zeros(len(hands), bool)
    return Curve(match, hands, tuple(lines), hands[begins], lock)


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
