"""Ranges and answers to bets, counted in plain Python over decoded hands: what railbird's SQL is checked against.

Chips of a bet are followed through the hand, so what a bet risked and the pot before it are known without the
columns of the store.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import sqrt

from scipy import stats

from .decoded import Hand, Match

RANKS = "AKQJT98765432"
BINS = (Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(1), Fraction(2))


def class_of(hole: list[str]) -> str:
    """AKs, AKo or AA."""
    first, second = sorted(hole, key=lambda card: RANKS.index(card[0]))
    if first[0] == second[0]:
        return first[0] * 2
    return first[0] + second[0] + ("s" if first[1] == second[1] else "o")


def grid_of(name: str) -> tuple[int, int]:
    """Row and column of the 13 x 13 grid: pairs on the diagonal, suited hands in the upper right."""
    high, low = RANKS.index(name[0]), RANKS.index(name[1])
    return (low, high) if name.endswith("o") else (high, low)


def size_bin(pots: Fraction) -> int:
    """The bin of a bet by its size in pots, from 1; each goes up to its upper end."""
    return 1 + sum(pots > limit for limit in BINS)


@dataclass(frozen=True)
class Decision:
    """A choice; `risk` and `pot` of the bet faced (None without one), `made` of the own bet, in pots."""

    seat: int
    position: str
    street: int
    level: int
    kind: str
    hole: list[str]
    risk: int | None
    pot: int | None
    faced: int | None
    made: Fraction | None
    price: int | None


def decisions(hand: Hand) -> Iterator[Decision]:
    """Every choice of a hand in order."""
    street, level = -1, 0
    bet: tuple[int, int, Fraction] | None = None
    for action in hand["actions"]:
        if action["street"] != street:
            street, level, bet = action["street"], int(action["street"] == 0), None
        added = 0 if action["amount"] is None else action["amount"] - action["pip"]
        raised = added - action["to_call"]
        pots = Fraction(raised, action["pot"] + action["to_call"])
        aggressive = action["kind"] in ("bet", "raise")
        if action["origin"] == "choice":
            faces = bet if action["to_call"] else None
            excess = max(action["to_call"] - action["stack"], 0)
            yield Decision(
                seat=hand["seats"][action["player"]],
                position=("SB", "BB")[action["player"]],
                street=street,
                level=level,
                kind=action["kind"],
                hole=hand["hole"][action["player"]],
                risk=faces[0] - excess if faces else None,
                pot=faces[1] if faces else None,
                faced=size_bin(faces[2]) if faces else None,
                made=pots if aggressive else None,
                price=raised if aggressive else None,
            )
        if aggressive:
            bet = (added, action["pot"], pots)
            level += 1


def ranges(match: Match) -> dict[tuple[int, str, int, str], Counter[str]]:
    """Actions before the flop by seat, position, bet level and hole class."""
    found: dict[tuple[int, str, int, str], Counter[str]] = defaultdict(Counter)
    for hand in match["hands"]:
        for one in decisions(hand):
            if one.street == 0:
                found[one.seat, one.position, one.level, class_of(one.hole)][one.kind] += 1
    return found


@dataclass
class Defence:
    """Answers to bets of a size, and the folds that would let a bluff break even."""

    answers: Counter[str] = field(default_factory=Counter)
    break_even: list[Fraction] = field(default_factory=list)
    folds: list[tuple[int, bool]] = field(default_factory=list)


def defences(match: Match, block: int) -> dict[tuple[int, int, int], Defence]:
    """By seat, street and size faced; `folds` has for each answer its block of so many rounds."""
    found: dict[tuple[int, int, int], Defence] = defaultdict(Defence)
    for hand in match["hands"]:
        for one in decisions(hand):
            if one.faced is not None and one.risk is not None and one.pot is not None:
                cell = found[one.seat, one.street, one.faced]
                cell.answers[one.kind] += 1
                cell.folds.append(((hand["number"] - 1) // block, one.kind == "fold"))
                cell.break_even.append(Fraction(one.risk, one.risk + one.pot))
    return found


def effective_n(cases: list[tuple[int, bool]]) -> float:
    """n of a rate as if cases were independent, of pairs (cluster, taken): docs/definitions.md, Effective n."""
    n, k = len(cases), sum(taken for _, taken in cases)
    clusters: dict[int, list[bool]] = defaultdict(list)
    for cluster, taken in cases:
        clusters[cluster].append(taken)
    many = len(clusters)
    if many < 2 or k in (0, n):
        return n
    rate = Fraction(k, n)
    variance = (
        Fraction(many, many - 1) * sum((sum(one) - rate * len(one)) ** 2 for one in clusters.values()) / n**2
    )
    if not variance:
        return n
    return min(n, float(rate * (1 - rate) / variance) * (1.959964 / float(stats.t.ppf(0.975, many - 1))) ** 2)


def mean_and_half(sums: dict[int, Fraction], sizes: dict[int, int]) -> tuple[float, float | None]:
    """The mean per hand of sums by block, and half its 95% interval: blocks are resampled units of unequal size."""
    hands = sum(sizes.values())
    mean = float(sum(sums.values())) / hands
    if len(sizes) < 2:
        return mean, None
    squares = sum((float(sums.get(block, 0)) - size * mean) ** 2 for block, size in sizes.items())
    count = len(sizes)
    error = sqrt(count / (count - 1) * squares) / hands
    return mean, float(stats.t.ppf(0.975, count - 1)) * error


Equity = dict[tuple[int, int, int], float]
"""equity_own by place of the hand in the match, street and seat."""


@dataclass(frozen=True)
class Bet:
    """A bet or raise: its size in pots, what it asks of the other player, the chips in the pot after it."""

    hand: int
    block: int
    seat: int
    street: int
    pots: Fraction
    price: int
    pot_before: int
    pot_after: int
    equity: float


def bets(match: Match, equity: Equity, block: int) -> list[Bet]:
    """Every chosen bet and raise of a match, with the strength of the hand behind it."""
    found = []
    for place, hand in enumerate(match["hands"]):
        for action in hand["actions"]:
            if action["origin"] == "choice" and action["amount"] is not None:
                added = action["amount"] - action["pip"]
                seat = hand["seats"][action["player"]]
                found.append(
                    Bet(
                        hand=place,
                        block=(hand["number"] - 1) // block,
                        seat=seat,
                        street=action["street"],
                        pots=Fraction(added - action["to_call"], action["pot"] + action["to_call"]),
                        price=added - action["to_call"],
                        pot_before=action["pot"],
                        pot_after=action["pot"] + added,
                        equity=equity[place, action["street"], seat],
                    )
                )
    return found


def auc_with_variance(values: list[Fraction], bluffs: list[Fraction]) -> tuple[float, float | None]:
    """P(value larger) + P(equal) / 2 over all pairs, and DeLong's variance; None with one of a kind."""

    # Ranks compare as the sizes do, and much sooner.
    rank = {size: place for place, size in enumerate(sorted({*values, *bluffs}))}
    for_value, as_bluffs = [rank[one] for one in values], [rank[one] for one in bluffs]

    def halves(value: int, bluff: int) -> int:
        return 2 if value > bluff else int(value == bluff)

    over_bluffs = [
        Fraction(sum(halves(one, bluff) for bluff in as_bluffs), 2 * len(bluffs)) for one in for_value
    ]
    under_values = [
        Fraction(sum(halves(value, one) for value in for_value), 2 * len(values)) for one in as_bluffs
    ]
    auc = sum(over_bluffs, Fraction()) / len(values)
    if len(values) < 2 or len(bluffs) < 2:
        return float(auc), None

    def variance(parts: list[Fraction]) -> Fraction:
        return sum(((part - auc) ** 2 for part in parts), Fraction()) / (len(parts) - 1)

    return float(auc), float(variance(over_bluffs) / len(values) + variance(under_values) / len(bluffs))


def plans(match: Match, equity: Equity, block: int) -> dict[tuple[int, str, int, int], dict[int, Fraction]]:
    """Chips that each plan would have won, by seat, plan, street and size, and by block."""
    found: dict[tuple[int, str, int, int], dict[int, Fraction]] = defaultdict(lambda: defaultdict(Fraction))
    for hand in match["hands"]:
        at = (hand["number"] - 1) // block
        for action, one in zip(
            (action for action in hand["actions"] if action["origin"] == "choice"),
            decisions(hand),
            strict=True,
        ):
            if one.risk is None or one.pot is None or one.faced is None:
                continue
            bluff = Fraction(one.pot if one.kind == "fold" else -one.risk)
            share = Fraction(action["to_call"], action["pot"] + action["to_call"])
            found[one.seat, "bluff", one.street, one.faced][at] += bluff
            found[one.seat, "never_bluff", one.street, one.faced][at] -= bluff * share
    for bet in bets(match, equity, block):
        if bet.street == 3:
            call = Fraction(bet.pot_after if bet.equity < 0.5 else -bet.price)
            key = (bet.street, size_bin(bet.pots))
            found[bet.seat, "call", *key][bet.block] += call
            found[bet.seat, "fold", *key][bet.block] -= call * Fraction(bet.pot_before, bet.pot_after)
    return found
