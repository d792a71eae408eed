"""Coalitions at tables of three and more: what one player's decisions do for another at the same table."""

from dataclasses import dataclass

import numpy as np

from .evidence import Evidence, carrying_hands
from .material import ATTACKS, FOLDS, PASSES, Material, seats_with
from .permuting import Tested, go_together, is_positive, permutations_for, stands_out
from .study import BLOCK_LEAST, BLOCK_MOST, BLOCKS_WANTED, LOOK_TWICE, spread_of
from .value import Floats, Shares, centred, facing, own_of, usual_play

NAME = "coalition"
HIDDEN = "hidden cards"
_MOST_BB = 20.0
_LEAST_PLAYERS = 4
Pairs = dict[tuple[int, int], Tested]


@dataclass(frozen=True)
class _Items:
    """A value by player, other player at the table and block.

    by      values by player and other; aside: the same less the mean of the other others of the same block
    """

    by: dict[int, dict[int, Floats]]
    aside: dict[int, dict[int, Floats]]


def _benefit(material: Material, usual: Shares) -> Floats:
    """(A, N) what each decision does for each seat in bb, less what the player's usual play would do.

    A fold hands its share of the pot on; chips put in are won by the others in their shares, who pay for what they
    have to call. After Mazrooei, Archibald and Bowling (2013), with the check-down as the value.
    """
    d = material.decisions
    rows, pot, call = np.arange(len(d)), d.pot[:, None], d.to_call[:, None]
    attacks = d.kind == ATTACKS
    typical = np.where(attacks, d.added, d.most)[:, None]
    live = (d.live[:, None] >> np.arange(d.shares.shape[1])) & 1
    folded = (d.after - d.shares) * pot
    passed = d.shares * call
    attacked = (d.shares * (2 * typical - call) - (typical - call)) * (typical > 0)
    worth = np.stack((folded, passed, attacked), 2) * live[:, :, None]
    worth[rows, d.seat] = 0.0
    done = worth[rows, :, d.kind]
    gain: Floats = np.clip(done - (worth * usual[:, None, :]).sum(2), -_MOST_BB, _MOST_BB)
    return gain


def _less_place(material: Material, value: Floats) -> Floats:
    """(A, N) without the mean by how far the other sits behind: neighbours gain from each other without a plan."""
    d = material.decisions
    seats = value.shape[1]
    behind = (np.arange(seats) - d.seat[:, None]) % seats
    key = d.player[:, None].astype(np.int64) * seats + behind
    means = np.bincount(key.ravel(), value.ravel()) / np.maximum(np.bincount(key.ravel()), 1)
    centred: Floats = np.where(behind > 0, value - means[key], 0.0)
    return centred


def _items(material: Material, value: Floats) -> _Items:
    d = material.decisions
    seats = value.shape[1]
    length = int(min(max(np.median(material.hands) // BLOCKS_WANTED, BLOCK_LEAST), BLOCK_MOST))
    first = np.concatenate(([0], np.cumsum(-(-material.hands // length))))
    block = first[d.match] + d.place // length
    total = np.zeros((int(first[-1]), seats, seats))
    np.add.at(total, (block, d.seat.astype(np.int64)), value)
    total /= length
    match = np.repeat(np.arange(len(material.hands)), np.diff(first))
    by: dict[int, dict[int, list[Floats]]] = {}
    aside: dict[int, dict[int, list[Floats]]] = {}
    for number in range(len(material.hands)):
        here = total[match == number]
        for k in range(seats):
            for j in range(seats):
                if j == k:
                    continue
                one, other = int(material.seats[number, k]), int(material.seats[number, j])
                rest = [s for s in range(seats) if s not in (j, k)]
                by.setdefault(one, {}).setdefault(other, []).append(here[:, k, j])
                apart = here[:, k, j] - here[:, k, rest].mean(1)
                aside.setdefault(one, {}).setdefault(other, []).append(apart)
    return _Items(
        {one: {other: np.concatenate(v) for other, v in row.items()} for one, row in by.items()},
        {one: {other: np.concatenate(v) for other, v in row.items()} for one, row in aside.items()},
    )


def _apart(items: _Items, most: int, seed: int) -> Pairs:
    """For each pair: more than the player does for his other companions, and than for the third at the same table."""
    spreads = {one: spread_of(list(by.values())) for one, by in items.by.items()}
    usual = float(np.median(list(spreads.values()))) if spreads else 0.0
    found = {}
    for one, by in items.by.items():
        for other, picked in by.items():
            rest = [values for name, values in by.items() if name != other]
            if not rest:
                continue
            granted = max(spread_of(rest), usual) * (1 + 1 / len(rest))
            salt = seed * 1_000_003 + one * 101 + other
            tested = stands_out(np.concatenate([picked, *rest]), len(picked), granted, most, salt)
            if tested.p < LOOK_TWICE:
                third = is_positive(items.aside[one][other], most, salt + 1)
                tested = Tested(min(tested.score, third.score), max(tested.p, third.p))
            found[one, other] = tested
    return found


def look(material: Material, seed: int) -> dict[str, list[Evidence]]:
    """Evidence of both detectors, by name; none where fewer than four players met: there is nobody to compare with.

    coalition     the benefit above. Null: blocks permuted among a player's companions, and the signs of its difference
                  from the benefit for the third at the table flipped.
    hidden cards  whether decisions go with a companion's cards, either way, beyond own cards and the betting; the same
                  nulls, and the companion's strength permuted within a situation.
    """
    if len(material.players) < _LEAST_PLAYERS:
        return {}
    d = material.decisions
    seats = material.seats.shape[1]
    live = np.bitwise_count(d.live.astype(np.uint32)).astype(np.int64)
    public = ((d.street.astype(np.int64) * 8 + np.minimum(d.level, 7)) * 5 + facing(d)) * 2 + (d.most > 0)
    spot = (d.position.astype(np.int64) * 320 + public) * 10 + live
    own = own_of(d)
    usual = usual_play(d.player.astype(np.int64), spot, own, d)
    most = permutations_for(len(material.players) * (len(material.players) - 1), 3)
    benefit = _benefit(material, usual)
    items = _items(material, _less_place(material, benefit))
    tested = _apart(items, most, seed)
    together = _hands_together(material)
    found: dict[str, list[Evidence]] = {NAME: [], HIDDEN: []}
    for (one, other), test in tested.items():
        where, seat = seats_with(d, one, other)
        weight = benefit[where, seat]
        back = items.by.get(other, {}).get(one)
        mutual = float(back.mean()) if back is not None else 0.0
        explained = (("the same the other way: bb a hand", mutual),)
        effect = float(items.by[one][other].mean())
        carrying = carrying_hands(material, where, weight)
        hands = together[one, other]
        found[NAME].append(Evidence(NAME, one, other, test.p, test.score, effect, hands, carrying, explained))
    score = (d.kind == ATTACKS).astype(np.float64) - (d.kind == FOLDS) - usual[:, ATTACKS] + usual[:, FOLDS]
    cell = spot * 10 + np.minimum((own * 10).astype(np.int64), 9)
    strength = np.zeros((len(d), seats))
    for seat_no in range(seats):
        key = (d.player.astype(np.int64) * len(material.players) + d.others[:, seat_no]) * 10_000_000 + cell
        strength[:, seat_no] = centred(d.own[:, seat_no].astype(np.float64), key)
    product = score[:, None] * strength
    product[np.arange(len(d)), d.seat] = 0.0
    signs = []
    for sign in (1.0, -1.0):
        signs.append(_apart(_items(material, _less_place(material, sign * product)), most, seed + 7))
    for (one, other), up in signs[0].items():
        down = signs[1][one, other]
        test = up if up.p <= down.p else down
        where, seat = seats_with(d, one, other)
        sign = 1.0 if up.p <= down.p else -1.0
        weight = sign * product[where, seat]
        within = Tested(0.0, 1.0)
        if test.p < 0.25:
            key = cell[where]
            within = go_together(
                score[where], sign * strength[where, seat], key, seed * 3 + one * 101 + other
            )
        p = min(2 * max(test.p, within.p), 1.0)
        explained = (("chance: p with the companion's cards exchanged", within.p),)
        effect = float(benefit[where, seat].sum() / together[one, other])
        found[HIDDEN].append(
            Evidence(
                HIDDEN,
                one,
                other,
                p,
                test.score,
                effect,
                together[one, other],
                carrying_hands(material, where, weight),
                explained,
            )
        )
    return found


def _hands_together(material: Material) -> dict[tuple[int, int], int]:
    found: dict[tuple[int, int], int] = {}
    for seats, hands in zip(material.seats.tolist(), material.hands.tolist(), strict=True):
        for one in set(seats):
            for other in set(seats):
                found[one, other] = found.get((one, other), 0) + hands
    return found


__all__ = ["HIDDEN", "NAME", "PASSES", "look"]
