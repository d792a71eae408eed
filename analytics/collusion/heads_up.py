"""The detectors of heads-up games, one function each: how a player treats one opponent, against all others."""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..settings import LEVEL
from .additive import NONE_GRANTED, Blocks, Contrast, Granted, Receivers, apart, of_both
from .evidence import Evidence
from .material import ATTACKS, FOLDS, PASSES
from .nulls import Tested, answers_apart, go_together, permute_order, stands_out, starts_of
from .study import Floats, Study, centred

TRANSFER = "directed transfer"


def transfer(study: Study) -> Iterator[Evidence]:
    """Directed transfer: value lost to one opponent's real cards, compared with the player's usual play in such spots.

    Statistic: Welch's t of the loss by block. Null: blocks are permuted among the opponents. A weak player loses to all
    opponents and does not stand out; nor does a player on tilt.
    """
    lost = -study.worth.sense
    blocks = study.per_opponent(lost)
    tested = study.apart(blocks, absolute=False, salt=1)
    for (one, other), test in tested.items():
        usual = float(np.mean([values.mean() for name, values in blocks[one].items() if name != other]))
        explained = (
            ("a weak player: bb a hand that it loses this way to the others", usual),
            (
                "a strong opponent: bb a hand that the others lose to it this way",
                _given_by_others(blocks, one, other),
            ),
        )
        yield study.evidence(TRANSFER, (one, other), test, lost, explanations=explained)


def _given_by_others(blocks: Blocks, one: int, other: int) -> float:
    """The mean of what all but one give to a player."""
    given = [float(by[other].mean()) for name, by in blocks.items() if name != one and other in by]
    return float(np.mean(given)) if given else 0.0


SOFT_PLAY = "soft play"
_MOST_MISSED_BB = 5.0


def soft_play(study: Study) -> Iterator[Evidence]:
    """Soft play: two players omit bets and raises that would win against the cards really held, in both directions.

    Statistic: the usual frequency of attacks in such a spot less the actual one, times their value in bb. Null: blocks
    are permuted among opponents. The larger p of the two directions counts: if one player adapts, only one changes.
    """
    worth, kind = study.worth, study.material.decisions.kind
    pays = np.clip(worth.worth[:, ATTACKS] - worth.worth[:, PASSES], 0.0, _MOST_MISSED_BB)
    missing = (worth.usual[:, ATTACKS] - (kind == ATTACKS)) * pays * (study.material.decisions.most > 0)
    blocks = study.per_opponent(missing)
    tested = study.apart(blocks, absolute=True, salt=2)
    for (one, other), test in tested.items():
        back = tested.get((other, one))
        if back is None or one > other:
            continue
        explained = (("only one of them adapts: the smaller p of the two directions", min(test.p, back.p)),)
        yield study.evidence(SOFT_PLAY, (one, other), of_both(test, back), missing, explanations=explained)


HIDDEN_CARDS = "hidden cards"
_WORTH_IT = 0.01


def hidden_cards(study: Study) -> Iterator[Evidence]:
    """Hidden-card dependence: attacks when ahead and folds when behind that own hand and betting do not explain.

    Statistic: attack +1, fold -1, less the usual value in the spot, times the share of showdowns won against the hand
    really held, less its mean in the spot. Null: that share is permuted among the pair's decisions of one public
    situation and own strength; and blocks are permuted among opponents, because bets reveal cards to every opponent.
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
    for (one, other), test in tested.items():
        within = Tested(0.0, 1.0)
        if test.p < _WORTH_IT:
            where = np.flatnonzero(pair == one * players + other)
            seed = study.seed * 7 + one * 101 + other
            within = go_together(score[where], ahead[where], key[where], seed)
        gain = float((worth.gain * (pair == one * players + other)).sum())
        explained = (
            (
                "bb a hand that it gains beyond its usual play",
                gain / study.material.hands_of_pair[one, other],
            ),
            ("bets that reveal cards to all opponents: p with opponents permuted", test.p),
            ("chance: p with hidden cards permuted", within.p),
        )
        both = test.at_least(within.p)
        yield study.evidence(HIDDEN_CARDS, (one, other), both, product, explanations=explained)


IRRATIONAL_FOLDS = "irrational folds"
_STRONG = 0.6
_MARGIN = 0.1
_DRAWS = 2000


def irrational_folds(study: Study) -> Iterator[Evidence]:
    """Irrational folds to one opponent: of hands that beat 60% of unseen hands and the pot odds by a tenth.

    Statistic: folds beyond the player's own rates, in bb that the call was worth against the cards really held. Null:
    Poisson-binomial with the player's own rates, and blocks permuted among opponents.
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
    for (one, other), test in tested.items():
        p = test.p
        where = np.flatnonzero((d.player == one) & (study.other == other) & strong)
        if p < LEVEL and len(where):
            # The number of folds, given the player's own rates.
            folds = float((d.kind[where] == FOLDS).sum())
            drawn = (rng.random((_DRAWS, len(where))) < rate[where]).sum(1)
            binomial = float(((drawn >= folds).sum() + 1) / (_DRAWS + 1))
            p = max(p, binomial if binomial > 2 / _DRAWS else _tail(folds, rate[where]))
        shown = np.where(d.kind == FOLDS, cost, 0.0)
        explained = (
            (
                "strong hands at good odds: the share that it folds to all opponents",
                _rate(study, one, strong),
            ),
        )
        yield study.evidence(IRRATIONAL_FOLDS, (one, other), test.at_least(p), shown, explanations=explained)


def _rate(study: Study, one: int, strong: np.ndarray) -> float:
    d = study.material.decisions
    mine = strong & (d.player == one)
    return float((d.kind[mine] == FOLDS).mean()) if mine.any() else 0.0


def _tail(count: float, rates: np.ndarray) -> float:
    """Chernoff's upper bound on the probability of so many successes, for p too small to draw."""
    mean = float(rates.sum())
    if count <= mean:
        return 1.0
    return float(min(1.0, np.exp(count - mean - count * np.log(count / max(mean, 1e-9)))))


KINGMAKING = "kingmaking"


def kingmaking(study: Study) -> Iterator[Evidence]:
    """Kingmaking: what an opponent loses to the winner of the event beyond what it loses to the runner-up.

    Losses are those of `transfer`. Statistic: Welch's t of their difference by block. Null: blocks are permuted between
    the two. A gift matters if it is a large share of the winner's margin; the explanation gives the margin without that
    opponent.
    """
    material = study.material
    if len(material.players) < 3:
        return
    total = np.zeros(len(material.players))
    np.add.at(total, material.seats.ravel(), material.results.ravel())
    first, second = np.argsort(-total, kind="stable")[:2]
    lost = -study.worth.sense
    blocks = study.per_opponent(lost)
    against = np.zeros((len(total), len(total)))
    np.add.at(against, (material.seats[:, 0], material.seats[:, 1]), material.results[:, 0])
    np.add.at(against, (material.seats[:, 1], material.seats[:, 0]), material.results[:, 1])
    general = study.apart(blocks, absolute=True, salt=5)
    receivers = Receivers.of(blocks)
    for giver, by in blocks.items():
        if giver in (first, second) or first not in by or second not in by:
            continue
        to_first, to_second = by[int(first)], by[int(second)]
        leans = receivers.leans(giver, int(first))
        means = [leans.of(int(player)) for player in (first, second)]
        winner, second_best = to_first - means[0][0], to_second - means[1][0]
        granted = means[0][1] + means[1][1]
        test = apart(winner, second_best, Granted.known_by(granted, len(by)))
        if test.p < LEVEL:
            values = np.concatenate((winner, second_best))
            more = stands_out(values, len(winner), granted, study.permutations, study.seed * 31 + giver)
            test = test.at_least(more.p)
        lead = (total[first] - against[first, giver]) - (total[second] - against[second, giver])
        explained = (("the winner's lead in bb without this opponent", float(lead)),)
        if (giver, int(first)) not in general:
            continue
        test = test.at_least(general[giver, int(first)].p)
        yield study.evidence(KINGMAKING, (giver, int(first)), test, lost, explanations=explained)


SIGNALS = "signals"
_TOKENS = 10
_OFTEN, _TIMES = 0.25, 2.5
_MORE_FOLDS = 0.05
_MOSTLY, _FEW = 0.5, 0.2
_GRANTED = 0.1
"""Difference allowed for honest folds to raises of one digit, beyond that seen with other players' raises."""


def signals(study: Study) -> Iterator[Evidence]:
    """Signals: folds to raises that end in one digit, beyond the folds to the sender's other raises.

    Statistic: the largest difference over the ten digits, in standard errors, less that of the same digit from other
    senders. Null: digits are permuted among the sender's raises in the same situation; the largest of all digits
    counts, with a Gumbel tail beyond the permutations. If many raises to one player carry the digit, the digits sent to
    that player and to others are compared, and its folds with those to others; p is doubled for the two tests.
    """
    d, worth = study.material.decisions, study.worth
    faces = (d.to_call > 0) & (d.aggressor >= 0) & (d.faced == np.round(d.faced))
    answer = (d.kind == FOLDS) - worth.usual[:, FOLDS]
    digit = d.faced.astype(np.int64) % _TOKENS
    spot = worth.cell // 10
    folds = study.per_opponent(answer * faces)
    addressed = _addressed(study, spot, answer * faces)
    for receiver in range(len(study.material.players)):
        by_sender = {}
        for sender in range(len(study.material.players)):
            mine = np.flatnonzero(faces & (d.player == receiver) & (study.other == sender))
            if (receiver, sender) in study.material.hands_of_pair and len(mine):
                seed = study.seed * 13 + receiver * 101 + sender
                by_sender[sender] = answers_apart(digit[mine], answer[mine], spot[mine], _TOKENS, seed)
        for sender, result in by_sender.items():
            if len(by_sender) < 2:
                # Without another sender, bet sizes cannot be ruled out.
                continue
            pair = (receiver, sender)
            token = int(result.seen.argmax())
            # Digits depend on bet sizes: the effect of the same digit from other senders is allowed for.
            rest = [each.seen[token] for name, each in by_sender.items() if name != sender]
            granted = max(float(np.median(rest)), 0.0) if rest else 0.0
            granted += _GRANTED / result.error(token)
            score = float(result.seen[token]) - granted
            here = faces & (d.player == receiver) & (study.other == sender) & (digit == token)
            weight = np.where(here & (d.kind == FOLDS), answer, 0.0)
            lost = float(-worth.gain[here].sum() / study.material.hands_of_pair[pair])
            explained = (
                ("raises so marked", float(here.sum())),
                ("bb a hand lost beyond its usual play", lost),
                ("bet sizes, on which digits depend: the score that they explain", granted),
            )
            error = result.error(token)
            best = Contrast(score, result.p(score), score * error, 1.96 * error)
            by = folds.get(receiver, {})
            told = addressed.get((sender, receiver))
            if told is not None and told.p < best.p:
                if told.alone:
                    best = best._replace(p=told.p, effect=told.effect, margin=told.margin)
                elif sender in by and len(by) > 1:
                    # If most raises carry the digit, few are left to compare with.
                    to_others = np.concatenate([values for name, values in by.items() if name != sender])
                    test = apart(by[sender], to_others, NONE_GRANTED)
                    values = np.concatenate([by[sender], to_others])
                    more = stands_out(values, len(by[sender]), 0.0, study.permutations, study.seed + token)
                    both = max(told.p, more.p)
                    if both < best.p:
                        best = best._replace(p=both, effect=test.effect, margin=test.margin)
            tested = best._replace(p=min(2 * best.p, 1.0))
            note = f"raises that end in {token}"
            yield study.evidence(SIGNALS, pair, tested, weight, explanations=explained, note=note)


class _Addressed(NamedTuple):
    """The p of a digit being sent to one receiver; alone: as `_addressed` says; the folds beyond, and their margin."""

    p: float
    alone: bool
    effect: float
    margin: float


def _addressed(study: Study, spot: NDArray[np.int64], answer: Floats) -> dict[tuple[int, int], _Addressed]:
    """By sender and receiver, the p of one digit being more frequent in raises to the receiver than in other raises.

    Only if the digit ends a quarter of those raises, 2.5 times as many as of the others, and the receiver folds to it
    more than usual. The most distinct digit of another receiver is allowed for: digits depend on sizes, and sizes on
    opponents. The flag is true if the digit ends most raises to the receiver and few others, and the receiver folds to
    them far more than to other players' raises: such raises then dominate its usual play, which proves nothing.
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
                error = _share_error(marked_folds) + _share_error(rest_folds)
                found[sender, receiver] = _Addressed(p, alone, float(more), 1.96 * error**0.5)
    return found


def _share_error(answers: NDArray[np.bool_]) -> float:
    """The variance of a share, with one success and one failure added."""
    n = len(answers) + 2
    share = (float(answers.sum()) + 1) / n
    return share * (1 - share) / n


TRIGGER = "trigger"


def trigger(study: Study) -> Iterator[Evidence]:
    """Trigger: a loss of value (`transfer`) to one opponent that begins at some hand of a match.

    Statistic: the largest standardised rise of the loss at one block of a match, summed over matches. Null: the blocks
    of each match in random order; and blocks permuted among opponents, because tilt can begin against any opponent.
    """
    lost = -study.worth.sense
    means = study.by_block(lost)
    blocks = study.per_opponent(lost)
    apart = study.apart(blocks, absolute=False, salt=6)
    seats = study.material.seats[study.blocks.match]
    d = study.material.decisions
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
        explained = (("tilt against any opponent: p with opponents permuted", test.p),)
        both = test.at_least(p)._replace(score=score)
        yield study.evidence(TRIGGER, (one, other), both, weight, explanations=explained, note=note)


ADVANCE_KNOWLEDGE = "advance knowledge"
EARLY: Final = 50
"""Hands at the start of a match, too few to learn an opponent from."""


def advance_knowledge(study: Study) -> Iterator[Evidence]:
    """Advance knowledge: value gained against one opponent in the first `EARLY` hands of matches, beyond usual play.

    Statistic: Welch's t of the gain by block, early blocks only. Null: the early blocks are permuted among opponents: a
    player that learns has learned nothing yet, and its usual style is part of the baseline.
    """
    gain = study.worth.gain
    last = max(EARLY // study.blocks.length, 1)
    blocks = study.per_opponent(gain, lambda place: place < last)
    later = study.per_opponent(gain, lambda place: place >= last)
    tested = study.apart(blocks, absolute=True, salt=7)
    early = study.material.decisions.hand < EARLY
    weight = np.where(early, gain, -np.inf)
    for (one, other), test in tested.items():
        after = later.get(one, {}).get(other)
        learned = float(after.mean()) if after is not None else 0.0
        explained = (("learning: bb a hand that it gains later in the match", learned),)
        yield study.evidence(ADVANCE_KNOWLEDGE, (one, other), test, weight, explanations=explained)
