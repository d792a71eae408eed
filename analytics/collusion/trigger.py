"""Trigger: play that falls off from some hand of a match on, against one opponent only."""

import numpy as np

from .evidence import Evidence, margin_of
from .permuting import Tested, permute_order, starts_of
from .study import Study

NAME = "trigger"


def look(study: Study) -> list[Evidence]:
    """Loss of value (`transfer`) that sets in within a match.

    Statistic: per match the largest standardised rise of the loss from one block on, added up. Null: the blocks of
    each match in another order; and against opponents, since tilt sets in against anybody.
    """
    lost = -study.worth.sense
    means = study.by_block(lost)
    blocks = study.per_opponent(lost)
    apart = study.apart(blocks, absolute=False, salt=6)
    seats = study.material.seats[study.blocks.match]
    d = study.material.decisions
    found = []
    for (one, other), test in apart.items():
        sides = (seats == one) & (seats[:, ::-1] == other) & ~np.isnan(means)
        where, side = np.nonzero(sides)
        values = means[where, side]
        p, score, note = 1.0, 0.0, ""
        weight = lost
        if test.p < 0.1 and len(values) > 5:
            starts = starts_of(study.blocks.match[where])
            score, p, place = permute_order(
                values,
                starts,
                study.permutations,
                study.seed * 17 + one * 101 + other,
                np.zeros(len(values)),
                np.zeros(625, np.int64),
            )
            if place >= 0:
                block = where[place]
                match = int(study.blocks.match[block])
                hand = int(d.hand[study.block == block].min(initial=int(study.material.played[match])))
                note = f"from hand {hand} of match {study.material.matches[match]}"
                weight = np.where((d.match == match) & (d.hand >= hand), lost, -np.inf)
        effect = float(blocks[one][other].mean())
        explained = (("tilt, which begins against anybody: p with the opponents exchanged", test.p),)
        both = Tested(score, max(p, test.p))
        margin = margin_of(blocks[one][other])
        found.append(
            study.evidence(
                NAME, (one, other), both, effect, weight, explanations=explained, note=note, margin=margin
            )
        )
    return found
