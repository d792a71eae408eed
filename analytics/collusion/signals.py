"""Signals: raises whose last digit moves one opponent as it moves nobody else."""

import numpy as np
from numpy.typing import NDArray

from .evidence import Evidence
from .material import ATTACKS, FOLDS
from .permuting import Tested, answers_apart, stands_out
from .study import Study
from .value import Floats

NAME = "signals"
_TOKENS = 10
_OFTEN, _TIMES = 0.25, 2.5
_MORE_FOLDS = 0.05
_MOSTLY, _FEW = 0.5, 0.2
_GRANTED = 0.1
"""By how much honest folds to raises of one digit may differ, beyond what others' raises of it show."""


def look(study: Study) -> list[Evidence]:
    """Folds to raises of a certain last digit, beyond those to other raises of the sender.

    Statistic: the largest difference over the ten digits, in standard errors, less that of the same digit from other
    senders. Null: the digits are permuted among the sender's raises in the same situation; the largest of all digits
    counts, beyond the permutations by a Gumbel tail. Where many raises to one player are marked, the digits that go to
    him and to others are compared instead, and his folds with those to others; p is doubled for the two ways.
    """
    d, worth = study.material.decisions, study.worth
    faces = (d.to_call > 0) & (d.aggressor >= 0) & (d.faced == np.round(d.faced))
    answer = (d.kind == FOLDS) - worth.usual[:, FOLDS]
    digit = d.faced.astype(np.int64) % _TOKENS
    spot = worth.cell // 10
    folds = study.per_opponent(answer * faces)
    addressed = _addressed(study, spot, answer * faces)
    found = []
    for receiver in range(len(study.material.players)):
        by_sender = {}
        for sender in range(len(study.material.players)):
            mine = np.flatnonzero(faces & (d.player == receiver) & (study.other == sender))
            if (receiver, sender) in study.material.hands_of_pair and len(mine):
                seed = study.seed * 13 + receiver * 101 + sender
                by_sender[sender] = answers_apart(digit[mine], answer[mine], spot[mine], _TOKENS, seed)
        for sender, result in by_sender.items():
            if len(by_sender) < 2:
                # Nobody else's digits say what sizes explain.
                continue
            pair = (receiver, sender)
            token = int(result.seen.argmax())
            # Digits go with sizes: what the same digit does from others is granted.
            rest = [each.seen[token] for name, each in by_sender.items() if name != sender]
            granted = max(float(np.median(rest)), 0.0) if rest else 0.0
            granted += _GRANTED / result.error(token)
            score = float(result.seen[token]) - granted
            here = faces & (d.player == receiver) & (study.other == sender) & (digit == token)
            weight = np.where(here & (d.kind == FOLDS), answer, 0.0)
            lost = float(-worth.gain[here].sum() / study.material.hands_of_pair[pair])
            explained = (
                ("raises so marked", float(here.sum())),
                ("sizes, which go with digits: the score that they explain", granted),
            )
            p = result.p(score)
            by = folds.get(receiver, {})
            told, alone = addressed.get((sender, receiver), (1.0, False))
            if alone:
                p = min(p, told)
            elif sender in by and len(by) > 1 and told < p:
                # Most raises may be so marked, and few are left to compare with.
                values = np.concatenate([by[sender], *(v for name, v in by.items() if name != sender)])
                more = stands_out(values, len(by[sender]), 0.0, study.permutations, study.seed + token)
                p = min(p, max(told, more.p))
            p = min(2 * p, 1.0)
            note = f"raises that end in {token}"
            margin = study.margin(pair, np.flatnonzero(here), worth.gain)
            found.append(
                study.evidence(
                    NAME,
                    pair,
                    Tested(score, p),
                    lost,
                    weight,
                    explanations=explained,
                    note=note,
                    margin=margin,
                )
            )
    return found


def _addressed(
    study: Study, spot: NDArray[np.int64], answer: Floats
) -> dict[tuple[int, int], tuple[float, bool]]:
    """By sender and receiver, the p that one digit of the sender's raises goes to the receiver more than others do.

    Only where it ends a quarter of those, 2.5 times as many as of the others, and is folded to more than usual; and
    what the most distinct of the other receivers gets is granted: digits go with sizes, and these with opponents.
    True beside it where it ends most of his raises to the receiver and few others, and he folds to them far more than
    to other players' raises: his usual play is then made of them, and says nothing.
    """
    d = study.material.decisions
    found = {}
    for sender in range(len(study.material.players)):
        raises = np.flatnonzero(
            (d.player == sender) & (d.kind == ATTACKS) & (d.raise_to > 0) & (d.added < d.most)
        )
        digit = d.raise_to[raises].astype(np.int64) % _TOKENS
        results = {}
        for receiver in np.unique(study.other[raises]).tolist():
            to = (study.other[raises] == receiver).astype(np.float64)
            seed = study.seed * 19 + sender * 101 + receiver
            results[receiver] = answers_apart(digit, to - to.mean(), spot[raises], _TOKENS, seed)
        for receiver, result in results.items():
            token = int(result.seen.argmax())
            here = study.other[raises] == receiver
            marked, others = (digit[here] == token).mean(), (digit[~here] == token)
            met = (
                (d.player == receiver)
                & (study.other == sender)
                & (d.faced.astype(np.int64) % _TOKENS == token)
            )
            folds = answer[met & (d.to_call > 0)]
            moved = len(folds) and folds.mean() >= _MORE_FOLDS
            raised = (d.player == receiver) & (d.to_call > 0) & (d.aggressor >= 0)
            folded = d.kind == FOLDS
            marked_folds, rest_folds = folded[met & raised], folded[raised & (study.other != sender)]
            more = marked_folds.mean() - rest_folds.mean() if len(marked_folds) and len(rest_folds) else 0.0
            alone = bool(len(others) and marked >= _MOSTLY and others.mean() <= _FEW and more >= _FEW)
            moved = moved or alone
            if moved and marked >= _OFTEN and len(others) and marked >= _TIMES * others.mean():
                rest = [float(each.seen.max()) for name, each in results.items() if name != receiver]
                p = result.p(float(result.seen.max()) - max(rest, default=0.0))
                found[sender, receiver] = (p, alone)
    return found
