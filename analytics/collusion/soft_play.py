"""Soft play: two players who spare each other the bets that would pay."""

import numpy as np

from .evidence import Evidence, margin_of
from .material import ATTACKS, PASSES
from .permuting import Tested
from .study import Study

NAME = "soft play"
_MOST_BB = 5.0


def look(study: Study) -> list[Evidence]:
    """Bets and raises that are missing although they would win against the cards really held, in both directions.

    Statistic: how often a player attacks usually in such a spot, less how often he does, times what it is worth in bb.
    Null: blocks permuted among opponents. The larger p of the two directions counts: one who adapts changes alone.
    """
    worth, kind = study.worth, study.material.decisions.kind
    pays = np.clip(worth.worth[:, ATTACKS] - worth.worth[:, PASSES], 0.0, _MOST_BB)
    missing = (worth.usual[:, ATTACKS] - (kind == ATTACKS)) * pays * (study.material.decisions.most > 0)
    blocks = study.per_opponent(missing)
    tested = study.apart(blocks, absolute=True, salt=2)
    found = []
    for (one, other), test in tested.items():
        back = tested.get((other, one))
        if back is None or one > other:
            continue
        both = Tested(min(test.score, back.score), max(test.p, back.p))
        effect = float(blocks[one][other].mean() + blocks[other][one].mean())
        explained = (("one of them alone adapts: the smaller p of the two directions", min(test.p, back.p)),)
        margin = margin_of(blocks[one][other], blocks[other][one])
        found.append(
            study.evidence(NAME, (one, other), both, effect, missing, explanations=explained, margin=margin)
        )
    return found
