"""Irrational folds: strong hands given up at good odds, to one opponent."""

import numpy as np

from ..thresholds import LEVEL
from .evidence import Evidence, margin_of
from .material import FOLDS, PASSES
from .permuting import Tested
from .study import Study

NAME = "irrational folds"
_STRONG = 0.6
_MARGIN = 0.1
_DRAWS = 2000


def look(study: Study) -> list[Evidence]:
    """Folds with a hand that beats 60% of those unseen, and the pot odds by a tenth.

    Statistic: folds beyond the player's own rates, in bb that the call was worth against the cards really held. Null:
    Poisson-binomial from his own rates, and blocks permuted among opponents.
    """
    worth, d = study.worth, study.material.decisions
    strong = (d.to_call > 0) & (worth.strength >= np.maximum(_STRONG, worth.odds + _MARGIN))
    rate = worth.usual[:, FOLDS]
    beyond = ((d.kind == FOLDS) - rate) * strong
    price = np.clip(worth.worth[:, PASSES], 0.0, 10.0)
    cost = beyond * price
    blocks = study.per_opponent(cost)
    tested = study.apart(blocks, absolute=True, salt=4)
    rng = np.random.default_rng(study.seed + 4)
    found = []
    for (one, other), test in tested.items():
        p = test.p
        where = np.flatnonzero((d.player == one) & (study.other == other) & strong)
        if p < LEVEL and len(where):
            # Their number alone, at the player's own rates.
            folds = float((d.kind[where] == FOLDS).sum())
            drawn = (rng.random((_DRAWS, len(where))) < rate[where]).sum(1)
            binomial = float(((drawn >= folds).sum() + 1) / (_DRAWS + 1))
            p = max(p, binomial if binomial > 2 / _DRAWS else _tail(folds, rate[where]))
        effect = float(blocks[one][other].mean())
        shown = np.where(d.kind == FOLDS, cost, 0.0)
        explained = (
            ("strong hands at good odds that it folds to everybody", float(_rate(study, one, strong))),
        )
        both, margin = Tested(test.score, p), margin_of(blocks[one][other])
        found.append(
            study.evidence(NAME, (one, other), both, effect, shown, explanations=explained, margin=margin)
        )
    return found


def _rate(study: Study, one: int, strong: np.ndarray) -> float:
    d = study.material.decisions
    mine = strong & (d.player == one)
    return float((d.kind[mine] == FOLDS).mean()) if mine.any() else 0.0


def _tail(count: float, rates: np.ndarray) -> float:
    """An upper bound of the chance of so many successes (Chernoff), where draws no longer resolve it."""
    mean = float(rates.sum())
    if count <= mean:
        return 1.0
    return float(min(1.0, np.exp(count - mean - count * np.log(count / max(mean, 1e-9)))))
