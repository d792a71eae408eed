"""Signals: raises whose last digit moves one opponent as it moves nobody else."""

import numpy as np

from .evidence import Evidence
from .material import FOLDS
from .permuting import Tested, answers_apart
from .study import Study

NAME = "signals"
_TOKENS = 10


def look(study: Study) -> list[Evidence]:
    """Folds to raises of a certain last digit, beyond those to other raises of the sender.

    Statistic: the largest difference over the ten digits, in standard errors, less that of the same digit from other
    senders. Null: the digits are permuted among the sender's raises in the same situation; the largest of all digits
    counts, beyond the permutations by a Gumbel tail.
    """
    d, worth = study.material.decisions, study.worth
    faces = (d.to_call > 0) & (d.aggressor >= 0) & (d.faced == np.round(d.faced))
    answer = (d.kind == FOLDS) - worth.usual[:, FOLDS]
    digit = d.faced.astype(np.int64) % _TOKENS
    spot = worth.cell // 10
    found = []
    for receiver in range(len(study.material.players)):
        by_sender = {}
        for sender in range(len(study.material.players)):
            mine = np.flatnonzero(faces & (d.player == receiver) & (study.other == sender))
            if (receiver, sender) in study.hands_of_pair and len(mine):
                seed = study.seed * 13 + receiver * 101 + sender
                by_sender[sender] = answers_apart(digit[mine], answer[mine], spot[mine], _TOKENS, seed)
        for sender, result in by_sender.items():
            pair = (receiver, sender)
            token = int(result.seen.argmax())
            # Digits go with sizes: what the same digit does from others is granted.
            rest = [each.seen[token] for name, each in by_sender.items() if name != sender]
            granted = max(float(np.median(rest)), 0.0) if rest else 0.0
            score = float(result.seen[token]) - granted
            here = faces & (d.player == receiver) & (study.other == sender) & (digit == token)
            weight = np.where(here & (d.kind == FOLDS), answer, 0.0)
            lost = float(-worth.gain[here].sum() / study.hands_of_pair[pair])
            explained = (
                ("raises so marked", float(here.sum())),
                ("sizes, which go with digits: the score of the same digit from others", granted),
            )
            note = f"raises that end in {token}"
            found.append(
                study.evidence(NAME, pair, Tested(score, result.p(score)), lost, weight, explained, note)
            )
    return found
