"""The rows of the audit: a test of each player and fact, with its effect, and the first hand where it shows."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...progress import Progress
from ..collusion.evidence import seed_of
from ..intervals import ratio
from ..settings import LEVEL
from .exchange import exchanged
from .facts import BOUNTY_RANK, HOLE_CARDS, SEALED_BID, UNDEALT_CARDS, Fact
from .material import RUN, Floats, Ints, Material
from .models import OWN_RIDGE, POOLED_RIDGE, Regression, centred, faced

LEAST: Final = 100
"""Fewer decisions or bids of a player are not tested."""
_RUNS: Final = 8
"""Neither are fewer runs of hands."""
_GRANTED: Final = 0.02
"""A fitted model may be wrong by this correlation between a choice and a fact."""
_OF_THE_DECK: Final = 0.01
"""The same for the value of a hand before the next cards, which some games' equities approximate."""
SHOWN: Final = 3
"""Hands to look at."""

_Whole = NDArray[np.integer]


@dataclass(frozen=True)
class Row:
    """What a player's choices have to do with a hidden fact.

    decisions   decisions tested, in `hands_met` hands
    bits        information that a choice has about the fact, a decision
    chips       effect in bb/100 (`Fact.chips`), with low and high, 95%, over runs of 25 hands
    p, q        q is corrected over all rows of the event and game
    since       (match, hand_index) where it begins to show; shown: hands to look at, with a sentence each
    tried       innocent explanations, with the result of each
    """

    player: int
    fact: Fact
    decisions: int
    bits: float
    chips: float
    low: float
    high: float
    p: float
    since: tuple[int, int]
    shown: tuple[tuple[int, int, str], ...]
    tried: tuple[tuple[str, float], ...] = ()
    q: float = 1.0

    @property
    def flag(self) -> bool:
        """Whether honest play does not explain it."""
        return self.q < LEVEL and self.low > 0


@dataclass(frozen=True)
class _Tested:
    """What each of some decisions adds to the effect, in bb, and the test of their sum."""

    rows: Ints
    gain: Floats
    bits: float
    p: float
    tried: tuple[tuple[str, float], ...]


def look(material: Material, seed: int = 0, progress: Progress | None = None) -> list[Row]:
    """All rows of one event and game, the strongest first; seed: of the exchanges."""
    from scipy.stats import false_discovery_control

    found: list[Row] = []
    d, every = material.decisions, len(material.players)
    targets = [d.choice, d.actual, *([d.live] if BOUNTY_RANK in material.facts else [])]
    of_player = np.argsort(d.player, kind="stable")
    starts = np.searchsorted(d.player[of_player], np.arange(every + 1))
    pooled = Regression(d, np.arange(len(d)), np.stack(targets, 1), POOLED_RIDGE) if len(d) else None
    for player in range(every):
        mine = of_player[starts[player] : starts[player + 1]]
        if pooled and len(mine) >= LEAST:
            own = Regression(d, mine, np.stack([target[mine] for target in targets], 1), OWN_RIDGE, pooled)
            found += _of_choices(material, player, mine, own.predicted(mine), seed_of(seed, 0, player, 0))
        if SEALED_BID in material.facts:
            found += _bids(material, player)
        if progress:
            progress(player + 1, every)
    if not found:
        return []
    adjusted = false_discovery_control([row.p for row in found]).tolist()
    rows = [replace(row, q=q) for row, q in zip(found, adjusted, strict=True)]
    return sorted(rows, key=lambda row: (not row.flag, row.q, row.p, -row.bits))


def _of_choices(material: Material, player: int, mine: Ints, models: Floats, seed: int) -> Iterator[Row]:
    """The rows of a player's decisions; models (n, t): predictions of the choice and the facts."""
    d = material.decisions
    surprise = d.choice[mine] - models[:, 0]
    if HOLE_CARDS in material.facts:
        fact = d.actual[mine].astype(np.float64)
        test = _exchanged(material, mine, surprise, fact, models[:, 1], seed)
        yield from _of(material, player, HOLE_CARDS, test)
    if BOUNTY_RANK in material.facts:
        # Chips at stake that are lost cost this much more: half of the pot is the player's.
        price = -0.5 * (material.win_factor - 1) * (1 - d.own[mine].astype(np.float64))
        fact = d.live[mine].astype(np.float64)
        test = _exchanged(material, mine, surprise * price, fact, models[:, 2], seed + 1)
        yield from _of(material, player, BOUNTY_RANK, test)
    if UNDEALT_CARDS in material.facts:
        yield from _of(material, player, UNDEALT_CARDS, _by_the_deck(material, mine, surprise))


def _unit(match: _Whole, hand: _Whole) -> Ints:
    """The run of hands that each decision belongs to."""
    found: Ints = match.astype(np.int64) * 2**32 + hand // RUN
    return found


def _effect(unit: Ints, hand: _Whole, gain: Floats) -> tuple[float, float, float] | None:
    """Gains in bb/100 with their interval over units; None for too few units."""
    _, at = np.unique(unit, return_inverse=True)
    new = np.ones(len(hand), np.bool_)
    new[1:] = (hand[1:] != hand[:-1]) | (unit[1:] != unit[:-1])
    sums: Floats = np.asarray(np.bincount(at, gain), np.float64)
    hands: Floats = np.asarray(np.bincount(at, new), np.float64)
    mean, low, high = ratio(100 * sums, hands)
    return None if mean is None or low is None or high is None or len(sums) < _RUNS else (mean, low, high)


def _tail(unit: Ints, gain: Floats, granted: float) -> float:
    """p of a sum of gains above what is granted: Student's t over units."""
    from scipy.special import stdtr

    _, at = np.unique(unit, return_inverse=True)
    sums = np.bincount(at, gain)
    if len(sums) < 2:
        return 1.0
    error = float(np.sqrt(len(sums)) * sums.std(ddof=1))
    score = (float(sums.sum()) - granted) / max(error, 1e-12)
    return float(stdtr(len(sums) - 1, -score))


def _bits(one: Floats, two: Floats, granted: float) -> tuple[float, float]:
    """Bits that one value has about another if both are normal, and the sum of products at a granted correlation."""
    scale = float(np.sqrt((one**2).sum() * (two**2).sum()))
    together = min(float(one @ two) / max(scale, 1e-12), 0.999)
    return (-0.5 * float(np.log2(1 - together**2)) if together > 0 else 0.0), granted * scale


def _exchanged(
    material: Material, mine: Ints, surprise: Floats, fact: Floats, expected: Floats, seed: int
) -> _Tested | None:
    """The test of a fact that has a fitted model: what is left of it goes with what is left of the choices."""
    from scipy.special import ndtr

    d = material.decisions
    there = np.flatnonzero(~np.isnan(fact))
    if len(there) < LEAST:
        return None
    rows, fact, expected = mine[there], fact[there], expected[there]
    match = d.match[rows].astype(np.int64)
    key = (match * 64 + d.street[rows]) * 8 + np.minimum(faced(d, rows), 1)
    left = centred(fact - expected, key)
    weight = d.stake[rows] * centred(surprise[there], key)
    gain = weight * left
    bits, granted = _bits(weight, left, _GRANTED)
    # Streets differ in how much is open.
    street = np.minimum(d.street[rows].astype(np.int64), 7)
    spread = np.maximum(np.bincount(street, left**2) / np.maximum(np.bincount(street), 1), 1e-6)[street]
    over_runs = _tail(_unit(d.match[rows], d.hand[rows]), gain, granted)
    chain = exchanged(weight, left, expected, key, spread, granted, seed)
    score = (float(gain.sum()) - granted - chain.mean) / chain.deviation
    by_exchange = chain.p if chain.p > 0.02 else float(ndtr(-score))
    varied = float((fact - fact.mean()) @ (fact - fact.mean()))
    tried = (
        (
            "share of the fact's variance that the betting and the own hand explain",
            1 - float(left @ left) / max(varied, 1e-12),
        ),
        ("p with facts exchanged as the model allows", by_exchange),
        ("p over runs of hands", over_runs),
    )
    return _Tested(rows, gain, bits, max(over_runs, by_exchange), tried)


def _by_the_deck(material: Material, mine: Ints, surprise: Floats) -> _Tested | None:
    """The test of the next cards, whose value has a mean of 0 whatever happened before."""
    d = material.decisions
    there = np.flatnonzero(~np.isnan(d.change[mine]))
    if len(there) < LEAST:
        return None
    rows = mine[there]
    weight, fact = d.stake[rows] * surprise[there], d.change[rows].astype(np.float64)
    gain = weight * fact
    bits, granted = _bits(weight, fact, _OF_THE_DECK)
    p = _tail(_unit(d.match[rows], d.hand[rows]), gain, granted)
    return _Tested(
        rows,
        gain,
        bits,
        p,
        (("share of the decisions after which cards were dealt", len(there) / len(mine)),),
    )


def _since(gain: Floats) -> int:
    """The first decision that shows it, after the point from which the sum of gains rises."""
    path = np.concatenate([[0.0], np.cumsum(gain - gain.mean() / 2)])[:-1]
    start = int(path.argmin())
    return start + int((gain[start:] > 0).argmax())


def _of(material: Material, player: int, fact: Fact, tested: _Tested | None) -> Iterator[Row]:
    """The row of a test of decisions."""
    if tested is None:
        return
    d, rows, gain = material.decisions, tested.rows, tested.gain
    effect = _effect(_unit(d.match[rows], d.hand[rows]), d.hand[rows], gain)
    if effect is None:
        return
    since = _since(gain)
    best: dict[tuple[int, int], str] = {}
    for k in since + np.argsort(-gain[since:], kind="stable")[: 4 * SHOWN]:
        at = rows[k]
        best.setdefault((int(d.match[at]), int(d.hand[at])), _said(material, fact, int(at)))
    yield Row(
        player,
        fact,
        len(rows),
        tested.bits,
        *effect,
        p=tested.p,
        since=(int(d.match[rows[since]]), int(d.hand[rows[since]])),
        shown=tuple((*hand, said) for hand, said in list(best.items())[:SHOWN]),
        tried=tested.tried,
    )


def _said(material: Material, fact: Fact, at: int) -> str:
    """One sentence about a decision."""
    d = material.decisions
    faces = bool(d.faces[at])
    choice = float(d.choice[at])
    verb = (
        "folded"
        if not choice
        else ("called" if faces else "checked")
        if choice == 1
        else "raised"
        if faces
        else "bet"
    )
    street = material.streets[min(int(d.street[at]), len(material.streets) - 1)]
    if fact is HOLE_CARDS:
        return (
            f"{verb} on street {street}: its hand wins {d.actual[at]:.0%} of showdowns against the cards really held, "
            f"and {d.own[at]:.0%} against unseen cards"
        )
    if fact is BOUNTY_RANK:
        return (
            f"{verb} on street {street}: with the opponent's rank known, that it is in play has a chance of "
            f"{d.live[at]:.0%}, by what the player could know {d.belief[at]:.0%}"
        )
    return f"{verb} on street {street}: the next cards changed its share of the pot by {d.change[at]:+.0%}"


_NEAR: Final = 15
_BID_GRANTED: Final = 0.01
_MOST_BB: Final = 10.0
_FEWEST: Final = 8


def _bids(material: Material, player: int) -> Iterator[Row]:
    """The row of a player's bids after the opponent's."""
    from scipy.stats import binom

    b = material.bids
    rows = np.flatnonzero(b.player == player)
    if len(rows) < LEAST:
        return
    expected, gap = np.zeros(len(rows)), np.zeros(len(rows))
    ways = np.zeros(len(_WAYS))
    tested = np.zeros(len(rows), np.bool_)
    _, at = np.unique(b.match[rows], return_inverse=True)
    for match in range(int(at.max()) + 1):
        here = np.flatnonzero(at == match)
        if len(here) < _FEWEST:
            continue
        shares, gaps = _exchanged_bids(material, rows[here])
        best = int(shares.sum(1).argmax())
        ways[best] += len(here)
        tested[here] = True
        expected[here] = shares[best]
        gap[here] = gaps.min(0) if len(gaps) else 0.0
    keep = np.flatnonzero(tested)
    if len(keep) < LEAST:
        return
    rows, expected, gap = rows[keep], expected[keep], gap[keep]
    apart = np.abs(b.bid[rows] - b.sealed[rows])
    hits = (apart > 0) & (apart <= 1)
    unit = _unit(b.match[rows], b.hand[rows])
    units = material.units[b.match[rows]]
    most = _MOST_BB * units
    gain = (np.minimum(gap, most) - np.minimum(apart, most)) / units
    share, fair = float(hits.mean()), float(expected.mean())
    by_exchange = float(binom.sf(int(hits.sum()) - 1, len(rows), min(fair + _BID_GRANTED, 1.0)))
    over_runs = _tail(unit, hits - expected, _BID_GRANTED * len(rows))
    closer = _tail(unit, gain, 0.0)
    effect = _effect(unit, b.hand[rows], gain)
    if effect is None:
        return
    since = _since(hits - expected)
    order = np.argsort(-(hits[since:] * 1e6 + gain[since:]), kind="stable")[:SHOWN] + since
    yield Row(
        player,
        SEALED_BID,
        len(rows),
        _divergence(share, fair) if share > fair else 0.0,
        *effect,
        p=max(by_exchange, over_runs, closer),
        since=(int(b.match[rows[since]]), int(b.hand[rows[since]])),
        shown=tuple(
            (
                int(b.match[k]),
                int(b.hand[k]),
                f"bid {b.bid[k]:g} after the opponent's sealed {b.sealed[k]:g}, with {b.pot[k]:g} in the pot",
            )
            for k in rows[order]
        ),
        tried=(
            ("share of bids one chip from the sealed bid", share),
            ("the same with exchanged bids", fair),
            ("share of equal bids, which count as neither", float((apart == 0).mean())),
            *(
                (f"share of bids best explained by {name}", float(part))
                for name, part in zip(_WAYS, ways / max(ways.sum(), 1), strict=True)
            ),
        ),
    )


_WAYS: Final = ("bids in chips", "shares of the pot", "distances from the stack", "shares of the stack")


def _exchanged_bids(material: Material, rows: Ints) -> tuple[Floats, Floats]:
    """For the bids of one match: by way of exchange, the chance that an exchanged bid is a chip off, and its distance.

    (4, n) each. Bids are exchanged among those of the 15 next smaller and larger pots, as likely each: the fitted model
    of the opponent's bid given the pot and the stacks is their distribution.
    """
    b = material.bids
    order = np.lexsort((b.hand[rows], b.bound[rows], b.pot[rows]))
    n = len(rows)
    near, far = np.zeros((len(_WAYS), n)), np.zeros((len(_WAYS), n))
    counts = np.zeros(n)
    sorted_rows = rows[order]
    bid, sealed = b.bid[sorted_rows], b.sealed[sorted_rows]
    pot, bound = np.maximum(b.pot[sorted_rows], 1.0), np.maximum(b.bound[sorted_rows], 1.0)
    for step in range(1, min(_NEAR, n - 1) + 1):
        for one, two in ((slice(0, n - step), slice(step, n)), (slice(step, n), slice(0, n - step))):
            other = sealed[two]
            values = (
                other,
                np.floor(other / pot[two] * pot[one] + 1e-9),
                bound[one] - (bound[two] - other),
                np.floor(other / bound[two] * bound[one] + 1e-9),
            )
            for way, value in enumerate(values):
                apart = np.abs(bid[one] - np.clip(value, 0, bound[one]))
                near[way, one] += (apart > 0) & (apart <= 1)
                far[way, one] += apart
            counts[one] += 1
    found = np.empty((2, len(_WAYS), n))
    found[:, :, order] = np.stack([near, far]) / counts
    return found[0], found[1]


def _divergence(share: float, fair: float) -> float:
    """Bits a bid: of the share seen from the share expected (Kullback and Leibler)."""
    share, fair = min(max(share, 1e-9), 1 - 1e-9), min(max(fair, 1e-9), 1 - 1e-9)
    return float(share * np.log2(share / fair) + (1 - share) * np.log2((1 - share) / (1 - fair)))
