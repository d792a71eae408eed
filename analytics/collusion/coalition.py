"""Coalitions at tables of three and more: what one player's decisions do for another at the same table."""

from typing import Final

import numpy as np

from . import hidden_cards, soft_play, transfer
from .collusion_table import CollusionTable
from .companion_cards import CARDS_EXCHANGED, either_way, of_both_ways, within_cells
from .evidence import Evidence
from .material import ATTACKS, FOLDS, Material, seats_with
from .permuting import Tested
from .ring import Ring
from .value import Floats, centred

NAME = "coalition"
_MOST_BB: Final = 20.0
_LEAST_PLAYERS: Final = 4
_DETECTORS: Final = 5


def _benefit(ring: Ring) -> Floats:
    """(A, N) what each decision does for each seat in bb, less what the player's usual play would do.

    A fold hands its share of the pot on; chips put in are won by the others in their shares, who pay for what they
    have to call. After Mazrooei, Archibald and Bowling (2013), with the check-down as the value. What the others gain
    the actor loses.
    """
    d = ring.material.decisions
    rows, pot, call = np.arange(len(d)), d.pot[:, None], d.to_call[:, None]
    attacks = d.kind == ATTACKS
    typical = np.where(attacks, d.added, d.most)[:, None]
    folded = (d.after - d.shares) * pot
    passed = d.shares * call
    attacked = (d.shares * (2 * typical - call) - (typical - call)) * (typical > 0)
    worth = np.stack((folded, passed, attacked), 2) * ring.is_in[:, :, None]
    done = worth[rows, :, d.kind]
    gain: Floats = np.clip(done - (worth * ring.usual[:, None, :]).sum(2), -_MOST_BB, _MOST_BB)
    gain[rows, d.seat] = -gain.sum(1)
    return gain


def look(material: Material, seed: int) -> dict[str, list[Evidence]]:
    """Evidence by detector; none where fewer than four players met: there is nobody to compare with.

    Each compares what a player does while a companion is in with what he does at tables without him (`Ring.apart`).

    coalition          C(j, k): the benefit above, for the companion
    directed transfer  what the decisions lose, whoever of the others gains it
    soft play          bets and raises missing, in both directions: the larger p of the two
    hidden cards       whether decisions go with the companion's cards, either way, beyond own cards and the betting;
                       his strength is permuted within a situation, too
    """
    if len(material.players) < _LEAST_PLAYERS:
        return {}
    ring = Ring(material, _DETECTORS, seed)
    benefit = _benefit(ring)
    return {
        NAME: _coalition(ring, benefit),
        transfer.NAME: _transfer(ring, benefit),
        soft_play.NAME: _soft_play(ring),
        hidden_cards.NAME: _hidden_cards(ring, benefit),
    }


def _a_hand(ring: Ring, value: Floats, pair: tuple[int, int]) -> float:
    """A value (A, N) summed over what the first of a pair did with the second at the table, a hand."""
    where, seat = seats_with(ring.material.decisions, *pair)
    return float(value[where, seat].sum() / ring.material.hands_of_pair[pair])


def _coalition(ring: Ring, benefit: Floats) -> list[Evidence]:
    seats = ring.material.seats[ring.blocks.match]
    table = CollusionTable.of(ring.by_block(benefit), seats, ring.blocks.size)
    for_others = np.where(ring.is_in, benefit, 0.0)
    tested, means = ring.apart(for_others, 1)
    margins = ring.margins(benefit)
    found = []
    for pair, test in tested.items():
        explained = (
            ("it helps every companion: bb a hand at tables without the other", means[pair][1]),
            ("the same the other way: bb a hand", table.by[pair[1]][pair[0]]),
        )
        measures = table.measures(*pair)
        found.append(
            ring.evidence(
                NAME,
                pair,
                test,
                table.by[pair[0]][pair[1]],
                benefit,
                explanations=explained,
                measures=measures,
                margin=margins[pair],
            )
        )
    return found


def _transfer(ring: Ring, benefit: Floats) -> list[Evidence]:
    d = ring.material.decisions
    lost = -benefit[np.arange(len(d)), d.seat][:, None] * ring.is_in
    tested, means = ring.apart(lost, 2)
    margins = ring.margins(lost)
    found = []
    for pair, test in tested.items():
        explained = (
            ("a weak player: bb a hand that it loses this way at tables without the other", means[pair][1]),
        )
        found.append(
            ring.evidence(
                transfer.NAME, pair, test, means[pair][0], lost, explanations=explained, margin=margins[pair]
            )
        )
    return found


def _soft_play(ring: Ring) -> list[Evidence]:
    d = ring.material.decisions
    rarer: Floats = (ring.usual[:, ATTACKS] - (d.kind == ATTACKS)) * (d.most > 0)
    missing: Floats = rarer[:, None] * ring.is_in
    size: Floats = np.where(d.kind == ATTACKS, d.added, d.most).astype(np.float64)
    chips: Floats = missing * size[:, None]
    tested, _ = ring.apart(missing, 3)
    margins = ring.margins(chips)
    found = []
    for (one, other), test in tested.items():
        if one > other:
            continue
        back = tested[other, one]
        both = Tested(min(test.score, back.score), max(test.p, back.p))
        effect = _a_hand(ring, chips, (one, other)) + _a_hand(ring, chips, (other, one))
        explained = (("one of them alone adapts: the smaller p of the two directions", min(test.p, back.p)),)
        margin = float(np.hypot(margins[one, other], margins[other, one]))
        found.append(
            ring.evidence(
                soft_play.NAME, (one, other), both, effect, missing, explanations=explained, margin=margin
            )
        )
    return found


def _hidden_cards(ring: Ring, benefit: Floats) -> list[Evidence]:
    d = ring.material.decisions
    score = (d.kind == ATTACKS).astype(np.float64) - (d.kind == FOLDS)
    score -= ring.usual[:, ATTACKS] - ring.usual[:, FOLDS]
    strength: Floats = np.zeros((len(d), d.own.shape[1]))
    for seat in range(strength.shape[1]):
        strength[:, seat] = centred(d.own[:, seat].astype(np.float64), ring.key_of(d.others[:, seat]))
    # Before the flop hands differ less than after it, and tell as much.
    squares = (strength**2 * ring.is_in).sum(1) / np.maximum(ring.is_in.sum(1), 1)
    deviation = np.sqrt(np.bincount(d.street, squares) / np.maximum(np.bincount(d.street), 1))
    strength /= np.maximum(deviation, 1e-9)[d.street][:, None]
    product = score[:, None] * strength * ring.is_in
    up, down = (ring.apart(sign * product, 4)[0] for sign in (1.0, -1.0))
    margins = ring.margins(benefit)
    found = []
    for pair, (sign, test) in either_way(up, down).items():
        where, seat_of = seats_with(d, *pair)
        within = within_cells(
            test, score[where], sign * strength[where, seat_of], ring.cell[where], ring.seed, pair
        )
        both = Tested(test.score, of_both_ways(test, within))
        explained = ((CARDS_EXCHANGED, within.p),)
        effect = _a_hand(ring, benefit, pair)
        found.append(
            ring.evidence(
                hidden_cards.NAME,
                pair,
                both,
                effect,
                sign * product,
                explanations=explained,
                margin=margins[pair],
            )
        )
    return found
