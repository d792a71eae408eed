"""Kingmaking: whether one opponent's gifts, and not his play, put the winner above the next."""

import numpy as np

from .evidence import Evidence, margin_of
from .permuting import Tested, stands_out
from .study import Study

NAME = "kingmaking"


def look(study: Study) -> list[Evidence]:
    """For each opponent of the winner: what he loses to the winner beyond what he loses to the runner-up.

    Losses are those of `transfer`. Statistic: their difference by block, Welch's t. Null: blocks permuted between the
    two. The gift must be a share of the margin to matter; the explanation tells the margin without that opponent.
    """
    material = study.material
    if len(material.players) < 3:
        return []
    total = np.zeros(len(material.players))
    np.add.at(total, material.seats.ravel(), material.results.ravel())
    first, second = np.argsort(-total, kind="stable")[:2]
    lost = -study.worth.sense
    blocks = study.per_opponent(lost)
    against = np.zeros((len(total), len(total)))
    np.add.at(against, (material.seats[:, 0], material.seats[:, 1]), material.results[:, 0])
    np.add.at(against, (material.seats[:, 1], material.seats[:, 0]), material.results[:, 1])
    general = study.apart(blocks, absolute=True, salt=5)
    found = []
    for giver, by in blocks.items():
        if giver in (first, second) or first not in by or second not in by:
            continue
        seed = study.seed * 31 + giver
        values = np.concatenate((by[int(first)], by[int(second)]))
        test = stands_out(values, len(by[int(first)]), 0.0, study.permutations, seed)
        p = max(test.p, general[giver, int(first)].p)
        margin = (total[first] - against[first, giver]) - (total[second] - against[second, giver])
        effect = float(by[int(first)].mean() - by[int(second)].mean())
        explained = (("bb by which the winner leads without this opponent", float(margin)),)
        pair = (giver, int(first))
        both, about = Tested(test.score, p), margin_of(by[int(first)], by[int(second)])
        found.append(study.evidence(NAME, pair, both, effect, lost, explanations=explained, margin=about))
    return found
