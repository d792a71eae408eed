"""Advance knowledge: one opponent is played well from the first hand, before anything could be learned of him."""

from typing import Final

import numpy as np

from .evidence import Evidence, margin_of
from .study import Study

NAME = "advance knowledge"
EARLY: Final = 50
"""Hands of a match that come before anything could be learned."""


def look(study: Study) -> list[Evidence]:
    """Value that a player's first `EARLY` hands of each match gain against one opponent beyond his usual play.

    Statistic: Welch's t of the gain by block, early blocks only. Null: the early blocks are permuted among opponents:
    a player who learns has learned nothing of anybody yet, and his usual style is valued out.
    """
    gain = study.worth.gain
    last = max(EARLY // study.blocks.length, 1)
    blocks = study.per_opponent(gain, lambda place: place < last)
    later = study.per_opponent(gain, lambda place: place >= last)
    tested = study.apart(blocks, absolute=True, salt=7)
    early = study.material.decisions.hand < EARLY
    weight = np.where(early, gain, -np.inf)
    found = []
    for (one, other), test in tested.items():
        effect = float(blocks[one][other].mean())
        after = later.get(one, {}).get(other)
        learned = float(after.mean()) if after is not None else 0.0
        explained = (("learning: bb a hand that it gains later in the match", learned),)
        margin = margin_of(blocks[one][other])
        found.append(
            study.evidence(NAME, (one, other), test, effect, weight, explanations=explained, margin=margin)
        )
    return found
