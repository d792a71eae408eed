"""Hidden-card dependence: decisions that go with cards the player cannot see."""

import numpy as np

from .evidence import Evidence
from .material import ATTACKS, FOLDS
from .permuting import Tested, go_together
from .study import Study
from .value import centred

NAME = "hidden cards"
_WORTH_IT = 0.01


def look(study: Study) -> list[Evidence]:
    """Whether a player attacks when he is ahead and folds when he is behind, beyond his own hand and the betting.

    Statistic: attack +1, fold -1, less what is usual in the spot, times the showdowns he wins against the hand really
    held, less their mean in the spot. Null: that share is permuted among the pair's decisions of one public situation
    and own strength; and blocks are permuted among opponents, since bets tell something of the cards to everybody.
    """
    worth, d = study.worth, study.material.decisions
    score = (d.kind == ATTACKS).astype(np.float64) - (d.kind == FOLDS)
    score -= worth.usual[:, ATTACKS] - worth.usual[:, FOLDS]
    players = len(study.material.players)
    pair = d.player.astype(np.int64) * players + study.other
    key = pair * 1_000_000 + worth.cell
    ahead = centred(worth.ahead, key)
    score = centred(score, key)
    product = score * ahead
    blocks = study.per_opponent(product)
    tested = study.apart(blocks, absolute=True, salt=3)
    found = []
    for (one, other), test in tested.items():
        within = Tested(0.0, 1.0)
        if test.p < _WORTH_IT:
            where = np.flatnonzero(pair == one * players + other)
            seed = study.seed * 7 + one * 101 + other
            within = go_together(score[where], ahead[where], key[where], seed)
        both = Tested(test.score, max(test.p, within.p))
        gain = worth.gain * (pair == one * players + other)
        effect = float(gain.sum() / study.material.hands_of_pair[one, other])
        margin = study.margin((one, other), np.flatnonzero(gain), gain)
        explained = (
            ("bets that show their cards to everybody: p with the opponents exchanged", test.p),
            ("chance: p with the hidden cards exchanged", within.p),
        )
        found.append(
            study.evidence(NAME, (one, other), both, effect, product, explanations=explained, margin=margin)
        )
    return found
