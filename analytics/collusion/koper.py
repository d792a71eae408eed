"""Koper: what the five at a table do for each other by folding and by the chips they bet.

Nobody can be raised out: a decision changes another's winnings by the chips it adds to the pot, by the showdown that a
fold leaves to the others, and by the cap on winnings and the redistribution of what it leaves.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...replay.koper import game as rule
from . import coalition, hidden_cards
from .collusion_table import CollusionTable, beyond_additive
from .companion_cards import CARDS_EXCHANGED, either_way, of_both_ways, within_cells
from .evidence import Evidence, evidence_of, pair_margins
from .material import Material, seats_with
from .permuting import Tested, permutations_for
from .value import Floats, Shares, centred, frequencies, own_of

NAME, HIDDEN = coalition.NAME, hidden_cards.NAME
GAME: Final = rule.GAME.name

STEPS: Final = 5
"""Bets are told apart by where they lie between the least and the most, in so many steps."""
OPTIONS: Final = 1 + STEPS
_TENTHS: Final = 10
_PRIOR: Final = np.float32(4.0)
_DETECTORS: Final = 2
_SITUATIONS: Final = 4 * _TENTHS * 8


@dataclass(frozen=True)
class KoperMaterial(Material):
    """A material of Koper; chips in buy-ins.

    card_set  (A,) numbers the deals: the matches of a tournament are dealt the same cards by seat
    option    (A,) 0 a fold, else 1 to 5 by the size of the bet between the least and the most
    worth     (A, N, 6) `worth_of`
    """

    card_set: NDArray[np.int64]
    option: NDArray[np.int64]
    worth: NDArray[np.float32]


def option_of(bet: Floats, low: Floats, high: Floats) -> NDArray[np.int64]:
    """1 to 5, the step that a bet is nearest to; a bet without a choice of size is the least."""
    share = (bet - low) / np.maximum(high - low, 1e-9)
    return 1 + np.clip(np.round(share * (STEPS - 1)), 0, STEPS - 1).astype(np.int64)


def worth_of(
    shares: NDArray[np.float32],
    after: NDArray[np.float32],
    live: NDArray[np.int32],
    seat: NDArray[np.int8],
    put: Floats,
    options: Floats,
) -> NDArray[np.float32]:
    """(A, N, 6) V_j of each seat j after each option of a decision: what he is paid on average (rules, section 4.2).

    shares, after  (A, N) each seat's part of the showdowns with the actor in, and with him out
    live           (A,) who came to the showdown, a bit a seat, the actor in any case
    put            (A, N) what each put in over the game; options: (A, 6) the same of the actor by option
    A winner is paid the pot up to four times what he put in; the rest goes to those who did not fold in equal parts.
    The others' bets are those that they made. The actor's own value is less what he puts in.
    """
    rows, seats = np.arange(len(seat)), np.arange(put.shape[1])
    worth = np.zeros((*put.shape, OPTIONS), np.float32)
    for option in range(OPTIONS):
        chips = put.copy()
        chips[rows, seat] = options[:, option]
        among = live if option else live & ~(1 << seat.astype(np.int32))
        is_in = (among[:, None] >> seats & 1) > 0
        parts = (shares if option else after).astype(np.float64)
        pot = chips.sum(1, keepdims=True)
        prize = np.minimum(pot, rule.CAP_FACTOR * chips)
        left = (parts * (pot - prize)).sum(1, keepdims=True) / np.maximum(is_in.sum(1, keepdims=True), 1)
        worth[:, :, option] = parts * prize + left * is_in
        worth[rows, seat, option] -= options[:, option]
    return worth


def _situation(material: KoperMaterial) -> NDArray[np.int64]:
    """(A,) street, the chance of winning that the player was told in tenths, and how many were in before him."""
    d = material.decisions
    tenth = np.minimum((own_of(d) * _TENTHS).astype(np.int64), _TENTHS - 1)
    return (d.street * _TENTHS + tenth) * 8 + d.level


def _usual(material: KoperMaterial) -> Shares:
    """(A, 6) how a player decides in a situation; the thin ones lean on all with such a chance of winning."""
    key = material.decisions.player.astype(np.int64) * _SITUATIONS + _situation(material)
    fine = frequencies(key, material.option, OPTIONS)
    broad = frequencies(key // 8, material.option, OPTIONS)
    usual: Shares = (fine + _PRIOR * broad / broad.sum(1, keepdims=True)) / (
        fine.sum(1, keepdims=True) + _PRIOR
    )
    return usual


def benefits(material: KoperMaterial, usual: Shares) -> Floats:
    """(A, N) the change of V_j that a decision made, less that of the player's usual play in its place."""
    rows = np.arange(len(material.option))
    done = material.worth[rows, :, material.option].astype(np.float64)
    gain: Floats = done - np.einsum("anb,ab->an", material.worth, usual)
    return gain


def _by_card_set(
    material: KoperMaterial, value: Floats
) -> tuple[Floats, NDArray[np.int16], NDArray[np.int64]]:
    """Sums of a value by card set, player and other: (units, N, N), the players (units, N), and games of each.

    A unit is what one line-up played with one card set: every cards are held by every player in turn, where the seats
    rotate. Its players are in the order of their codes.
    """
    d = material.decisions
    order = np.argsort(d.others, 1)
    rank = np.argsort(order, 1)
    lineup = np.take_along_axis(d.others, order, 1)
    _, number = np.unique(lineup, axis=0, return_inverse=True)
    _, unit = np.unique(np.stack((material.card_set, number.ravel()), 1), axis=0, return_inverse=True)
    unit = unit.ravel()
    seats = d.others.shape[1]
    count = int(unit.max(initial=-1)) + 1
    total = np.zeros((count, seats, seats))
    actor = rank[np.arange(len(d)), d.seat]
    for seat in range(seats):
        np.add.at(total, (unit, actor, rank[:, seat]), value[:, seat])
    players = np.zeros((count, seats), np.int16)
    players[unit] = lineup
    game = d.match.astype(np.int64) << 32 | d.hand
    played = np.zeros(count, np.int64)
    first = np.unique(game, return_index=True)[1]
    np.add.at(played, unit[first], 1)
    return total, players, played


def look(material: KoperMaterial, seed: int) -> dict[str, list[Evidence]]:
    """Evidence of both detectors, by name, about each ordered pair of players who met at a table.

    coalition     C(j,k): the benefits above summed over k's decisions, beyond what k does for everybody and everybody
                  for j. Null: the sign of that residual flipped by card set (`beyond_additive`).
    hidden cards  whether k bets or folds with the strength of j's cards, either way, beyond what he was told and how
                  many are in; the same null, and j's strength permuted among the decisions of one situation.
    """
    d = material.decisions
    usual = _usual(material)
    gain = benefits(material, usual)
    most = permutations_for(len(material.players) * (len(material.players) - 1), _DETECTORS)
    total, seats, played = _by_card_set(material, gain)
    table = CollusionTable.of(total, seats, played)
    tested = beyond_additive(total, seats, most, seed)
    margins = pair_margins(total, seats, played, tested)
    found = []
    for (one, other), test in tested.items():
        where, seat = seats_with(d, one, other)
        explained = (
            ("it helps everybody: bb a hand for each of the others", table.for_others(one, other)),
            ("the same the other way: bb a hand", table.by[other][one]),
        )
        found.append(
            evidence_of(
                material,
                NAME,
                (one, other),
                test,
                table.by[one][other],
                table.hands[one, other],
                where,
                gain[where, seat],
                explanations=explained,
                measures=table.measures(one, other),
                margin=margins[one, other],
            )
        )
    return {NAME: found, HIDDEN: _hidden(material, usual, gain, margins, most, seed)}


def _hidden(
    material: KoperMaterial,
    usual: Shares,
    gain: Floats,
    margins: dict[tuple[int, int], float],
    most: int,
    seed: int,
) -> list[Evidence]:
    d = material.decisions
    rows, seats = np.arange(len(d)), d.others.shape[1]
    score = material.option - usual @ np.arange(OPTIONS)
    situation = _situation(material)
    strength = np.zeros(d.own.shape)
    players = len(material.players)
    for seat in range(seats):
        # What is known of a player who is in, or out, is public.
        is_in = d.live >> seat & 1
        key = ((d.player.astype(np.int64) * players + d.others[:, seat]) * 4 + d.street) * 2 + is_in
        strength[:, seat] = centred(d.own[:, seat].astype(np.float64), key)
    product = score[:, None] * strength
    product[rows, d.seat] = 0.0
    total, lineups, played = _by_card_set(material, product)
    hands = CollusionTable.of(total, lineups, played).hands
    up, down = (beyond_additive(sign * total, lineups, most, seed + 7) for sign in (1.0, -1.0))
    found = []
    for (one, other), (sign, test) in either_way(up, down).items():
        where, seat_of = seats_with(d, one, other)
        key = situation[where] * 2 + (d.live[where] >> seat_of & 1)
        within = within_cells(test, score[where], sign * strength[where, seat_of], key, seed, (one, other))
        p = of_both_ways(test, within)
        explained = (
            (CARDS_EXCHANGED, within.p),
            ("bets follow anybody's cards: p against the others at the table", test.p),
        )
        effect = float(gain[where, seat_of].sum() / hands[one, other])
        found.append(
            evidence_of(
                material,
                HIDDEN,
                (one, other),
                Tested(test.score, p),
                effect,
                hands[one, other],
                where,
                sign * product[where, seat_of],
                explanations=explained,
                margin=margins[one, other],
            )
        )
    return found
