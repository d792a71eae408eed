"""Detects matches in which nearly all hands break one rule: they are another game, not violations."""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from . import findings, records, stakes

LEAST_HANDS: Final = 20
"""The fewest hands of a match: with fewer, another game cannot be distinguished from cheating."""
MOST_HANDS: Final = 2**26
"""A finding's figure encodes both the broken hands and the hands to which the rule applies."""

_DEALT: Final = (findings.RUN, findings.RUN_STOPS)
_FOR_TWO: Final = 3
"""No player decides which cards are dealt: if a third of the hands deal otherwise, it is another game."""

Applies = Callable[[NDArray[np.int64]], list[NDArray[np.bool_]]]
"""From rows of hands to the kinds of hands in which a rule may apply, each a mask over these rows."""


def figure_text(figure: float) -> str:
    """The figure of such a finding as text: in how many of how many hands the rule is broken."""
    broken, applies = divmod(int(figure), MOST_HANDS)
    return f"{broken} of {applies}"


def _broken_rule(
    hands: NDArray[np.void], wrong: NDArray[np.void], rows: NDArray[np.int64], applies: Applies
) -> tuple[int, int, int] | None:
    """The rule that nearly all hands of a match break: (rule, hands that break it, hands to which it applies).

    A rule applies to the smallest kind of hands that contains all hands in which it is broken.
    """
    whole = hands["verdict"][rows] != records.DAMAGED
    best: tuple[int, int, int] | None = None
    kinds: list[NDArray[np.bool_]] | None = None
    for rule in np.unique(wrong["rule"]).tolist():
        broken = np.isin(rows, wrong["hand"][wrong["rule"] == rule]) & whole
        count = int(broken.sum())
        if count < stakes.ENOUGH or (best is not None and count <= best[1]):
            continue
        if kinds is None:
            kinds = [kind & whole for kind in (np.ones(len(rows), np.bool_), *applies(rows))]
        where = min(int(kind.sum()) for kind in kinds if not (broken & ~kind).any())
        if stakes.believed(count, where - count) or (rule in _DEALT and _FOR_TWO * count >= where):
            best = rule, count, where
    return best


def tell(
    matches: NDArray[np.void],
    hands: NDArray[np.void],
    found: NDArray[np.void],
    used: int,
    applies: Applies,
    vouched: tuple[int, ...] = (),
) -> int:
    """Give the hands of such matches the verdict unverified, each with a finding that names the rule.

    vouched: rules that follow from the user's options; a match that breaks them in several hands is a violation.

    matches, hands, found: the rows of the families' record types; found has room for a row a hand more.
    used: rows of `found` in use; returns the new number.
    """
    wrong = found[:used]
    wrong = wrong[wrong["verdict"] == records.VIOLATION]
    if not len(wrong):
        return used
    firsts = matches["first_hand"].astype(np.int64)
    for first, count in zip(firsts.tolist(), matches["hands"].tolist(), strict=True):
        if count < LEAST_HANDS:
            continue
        own = wrong[(wrong["hand"] >= first) & (wrong["hand"] < first + count)]
        if len(own) < stakes.ENOUGH or np.isin(own["rule"], vouched).sum() >= stakes.ENOUGH:
            continue
        rows = np.arange(first, first + count)
        told_by = _broken_rule(hands, own, rows, applies)
        if told_by is None:
            continue
        rule, broken, where = told_by
        lines = own[own["rule"] == rule]
        here = found[:used]
        of_match = (here["hand"] >= first) & (here["hand"] < first + count)
        here["verdict"][of_match & (here["verdict"] == records.VIOLATION)] = records.UNVERIFIED
        touched = rows[hands["verdict"][rows] != records.DAMAGED]
        hands["verdict"][touched] = records.UNVERIFIED
        new = found[used : used + len(touched)]
        used += len(touched)
        new["hand"], new["line"] = touched, int(lines["line"][np.argmin(lines["hand"])])
        new["seat"], new["rule"], new["verdict"] = -1, findings.OTHER_GAME, records.UNVERIFIED
        new["deviation"], new["explained"], new["chips"] = 0, -1, 0
        new["expected"], new["logged"] = rule, broken * MOST_HANDS + where
    return used
