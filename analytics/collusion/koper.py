"""Koper: what the five players at a table do for each other by folding and by the size of their bets.

A bet cannot make others fold: a decision changes another player's winnings by the chips it adds to the pot, by the
showdown that a fold leaves to the others, and by the cap on winnings and the redistribution of the rest.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ...replay.cards import CARD_TEXT
from ...replay.koper import game as rule
from ...replay.records import FOLD, PLAY
from ...variants.koper import GAME as KOPER
from ..views import queries
from . import heads_up, multiway
from . import material as h
from .evidence import Evidence, evidence_of, permutations_for
from .material import Decisions, Group, Material, Rows, decisions_of, joined, seats_with
from .multiway import CARDS_EXCHANGED, CollusionTable, beyond_additive, either_way, of_both_ways, within_cells
from .study import Floats, Shares, centred, frequencies, own_of

if TYPE_CHECKING:
    from ..store import Store

NAME, HIDDEN, SOFT_PLAY = multiway.COALITION, heads_up.HIDDEN_CARDS, heads_up.SOFT_PLAY
GAME: Final = KOPER.name

STEPS: Final = 5
"""The number of bet sizes, evenly between the smallest and the largest legal bet."""
OPTIONS: Final = 1 + STEPS
_TENTHS: Final = 10
_PRIOR: Final = np.float32(4.0)
_DETECTORS: Final = 3
_SITUATIONS: Final = 4 * _TENTHS * 8


@dataclass(frozen=True)
class KoperMaterial(Material):
    """A material of Koper; chips in buy-ins.

    card_set  (A,) number of the deal: the matches of a tournament are dealt the same cards by seat
    option    (A,) 0 for a fold, else 1 to 5 by the size of the bet
    worth     (A, N, 6) `worth_of`
    """

    card_set: NDArray[np.int64]
    option: NDArray[np.int64]
    worth: NDArray[np.float32]

    def did(self, k: int) -> str:
        """What a decision was: a fold, or a bet with its size."""
        option = int(self.option[k])
        if not option:
            return "folded"
        size = {1: "the least", STEPS: "the most"}.get(option, f"step {option} of {STEPS}")
        return f"bet {size} of what it could"

    def knew(self, k: int, seat: int) -> str:
        """The win probability that the engine gave the player."""
        return f"the engine gave its hand a chance of {self.decisions.own[k, seat]:.0%}"


def option_of(bet: Floats, low: Floats, high: Floats) -> NDArray[np.int64]:
    """1 to 5, the nearest bet size; a bet without a choice of size is the smallest."""
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
    """(A, N, 6) V_j of each seat j after each option of a decision: its mean payout (rules, section 4.2).

    shares, after  (A, N) each seat's share of showdowns with the actor in, and with the actor out
    live           (A,) the players at showdown, a bit a seat, always with the actor
    put            (A, N) chips that each put in over the game; options: (A, 6) those of the actor by option
    A winner is paid the pot up to four times its own chips in the pot; the rest is shared equally by those who did not
    fold. The bets of others are those they made. The actor's own value is net of the chips it puts in.
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
    """(A,) street, the chance of winning given to the player in tenths, and how many players were in before it."""
    d = material.decisions
    tenth = np.minimum((own_of(d) * _TENTHS).astype(np.int64), _TENTHS - 1)
    return (d.street * _TENTHS + tenth) * 8 + d.level


def _usual(material: KoperMaterial) -> Shares:
    """(A, 6) a player's decisions in a situation; rare situations are shrunk to all with such a chance of winning."""
    key = material.decisions.player.astype(np.int64) * _SITUATIONS + _situation(material)
    fine = frequencies(key, material.option, OPTIONS)
    broad = frequencies(key // 8, material.option, OPTIONS)
    usual: Shares = (fine + _PRIOR * broad / broad.sum(1, keepdims=True)) / (
        fine.sum(1, keepdims=True) + _PRIOR
    )
    return usual


def benefits(material: KoperMaterial, usual: Shares) -> Floats:
    """(A, N) the V_j of a decision, less that of the player's usual play."""
    rows = np.arange(len(material.option))
    done = material.worth[rows, :, material.option].astype(np.float64)
    gain: Floats = done - np.einsum("anb,ab->an", material.worth, usual)
    return gain


def _by_card_set(
    material: KoperMaterial, value: Floats
) -> tuple[Floats, NDArray[np.int16], NDArray[np.int64]]:
    """Sums of a value by card set, player and other: (units, N, N), the players (units, N), and the games of each.

    A unit is the play of one line-up with one card set: as seats rotate, each player holds the cards of each seat in
    turn. The players of a unit are in the order of their codes.
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
    """Evidence by detector about the pairs of players who met at a table, ordered except for soft play.

    coalition     C(j,k): the benefits above summed over k's decisions, beyond what k does for all players and all do
                  for j. Null: the sign of that residual is flipped by card set (`beyond_additive`).
    hidden cards  correlation of k's bets and folds with the strength of j's cards, of either sign, beyond the chance
                  given to k and the number of players in; the same null, and j's strength permuted within a situation.
    soft play     what the bets of both lack in size while the other is in (`_soft_play`).
    """
    d = material.decisions
    usual = _usual(material)
    gain = benefits(material, usual)
    most = permutations_for(len(material.players) * (len(material.players) - 1), _DETECTORS)
    total, seats, played = _by_card_set(material, gain)
    table = CollusionTable.of(total, seats, played)
    tested = beyond_additive(total, seats, most, seed)
    found = []
    for (one, other), test in tested.items():
        where, seat = seats_with(d, one, other)
        explained = (
            ("what its decisions do for the other in all: a hand", table.by[one][other]),
            ("it helps all players: bb a hand for each of the others", table.for_others(one, other)),
            ("the other direction: bb a hand", table.by[other][one]),
        )
        found.append(
            evidence_of(
                material,
                NAME,
                (one, other),
                test,
                table.hands[one, other],
                where,
                gain[where, seat],
                explanations=explained,
                measures=table.measures(one, other),
            )
        )
    return {
        NAME: found,
        HIDDEN: _hidden(material, usual, gain, most, seed),
        SOFT_PLAY: _soft_play(material, usual, most, seed),
    }


def _soft_play(material: KoperMaterial, usual: Shares, most: int, seed: int) -> list[Evidence]:
    """Two players bet less while both are in than the two, their company and all players' bets explain.

    Statistic: the usual size of a bet in the situation less the actual one, in steps, less its mean in the match, over
    the bets that a player makes while the other has not folded as far as it can see; both directions are added. Null:
    `beyond_additive`. Nobody can be raised out, so the size of the bets is all that two players can spare each other.
    """
    d = material.decisions
    bets = material.option > 0
    sizes = usual[:, 1:].astype(np.float64)
    expected = (sizes @ np.arange(1, OPTIONS)) / np.maximum(sizes.sum(1), 1e-9)
    # Within a match: a name may stand for other programs in other matches.
    key = ((d.player.astype(np.int64) * len(material.matches) + d.match) * 4 + d.street) * 2 + bets
    lacking = np.where(bets, centred(expected - material.option, key), 0.0)
    seats = np.arange(d.others.shape[1])
    # In the first round the players bet one after another: those of higher seats have not folded yet.
    still = (d.live[:, None] >> seats & 1) > 0
    still |= (d.street[:, None] == 1) & (seats > d.seat[:, None])
    missing: Floats = lacking[:, None] * (still & (seats != d.seat[:, None]))
    total, lineups, played = _by_card_set(material, missing)
    table = CollusionTable.of(total, lineups, played)
    one_way = beyond_additive(total, lineups, most, seed + 13)
    both = total + total.transpose(0, 2, 1)
    together = beyond_additive(both, lineups, most, seed + 11, symmetric=True)
    found = []
    for (one, other), test in together.items():
        if one > other:
            continue
        where, seat = seats_with(d, one, other)
        larger = max(one_way[one, other].p, one_way[other, one].p)
        explained = (
            ("only one of them bets less: the larger p of the two directions", larger),
            (
                "the first of the two bets less against all: steps a game for each of the others",
                table.for_others(one, other),
            ),
            (
                "the second bets less against all: steps a game for each of the others",
                table.for_others(other, one),
            ),
        )
        found.append(
            evidence_of(
                material,
                SOFT_PLAY,
                (one, other),
                test,
                table.hands[one, other],
                where,
                missing[where, seat],
                explanations=explained,
            )
        )
    return found


def _hidden(
    material: KoperMaterial,
    usual: Shares,
    gain: Floats,
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
        # Whether a player is in or out is public.
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
        gained = float(gain[where, seat_of].sum() / hands[one, other])
        explained = (
            (CARDS_EXCHANGED, within),
            ("bets follow the cards of all players: p against the others at the table", test.p),
            ("what its decisions do for the other in all: a hand", gained),
        )
        found.append(
            evidence_of(
                material,
                HIDDEN,
                (one, other),
                of_both_ways(test, within),
                hands[one, other],
                where,
                sign * product[where, seat_of],
                explanations=explained,
            )
        )
    return found


MOST: Final = 60_000
"""Most games analysed of an event; of more, evenly many of each match, with the others of their card set."""

_BOARDS: Final = (0, 3, 4, 5)
_BETS: Final = 3


def _options(street: int, bets: Floats) -> tuple[NDArray[np.int64], Floats]:
    """The option of a bet in a round, and the chips that the player would have put in over the game by option.

    bets  (A, 3) bets of the player, -1 for none. Later bets keep their ratio to the bet before; missing ones are taken
    to be equal to it.
    """
    low, high = np.full(len(bets), rule.least_bet(1, 0.0)), np.full(len(bets), rule.most_bet(1, 0.0))
    if street > 1:
        before = bets[:, street - 2]
        low, high = rule.LIMITS[street - 1][0] * before, rule.LIMITS[street - 1][1] * before
    option = np.where(bets[:, street - 1] < 0, 0, option_of(bets[:, street - 1], low, high))
    follows = np.ones(len(bets))
    growth = np.ones(len(bets))
    for later in range(street, _BETS):
        known = (bets[:, later] >= 0) & (bets[:, later - 1] > 0)
        growth = growth * np.where(known, bets[:, later] / np.where(known, bets[:, later - 1], 1.0), 1.0)
        follows = follows + growth
    paid = rule.BUY_IN + bets[:, : street - 1].sum(1)
    chips = np.zeros((len(bets), OPTIONS))
    chips[:, 0] = paid
    for step in range(STEPS):
        chips[:, 1 + step] = paid + (low + (high - low) * step / (STEPS - 1)) * follows
    return option, chips


@dataclass(frozen=True)
class Part:
    """The decisions of some matches; card_set: (A, 2) the key of the match's deals, and the number of the game."""

    decisions: Decisions
    card_set: NDArray[np.uint64]
    option: NDArray[np.int64]
    worth: NDArray[np.float32]


def _part(columns: Sequence[NDArray[Any]], group: Group, sets: dict[int, int]) -> Part:
    """The decisions of some matches; sets: the key of each match's deals by match index."""
    count = rule.PLAYERS
    match, index, seat_no, *rest = columns
    first = np.flatnonzero(np.append(True, (np.diff(index) != 0) | (np.diff(match.astype(np.int64)) != 0)))
    hand_of = np.cumsum(np.bincount(first, minlength=len(match))) - 1
    hands = len(first)

    def by_seat(column: NDArray[Any], missing: int) -> NDArray[Any]:
        """(hands, 5); an eliminated player has no row."""
        dense = np.full((hands, count), missing, column.dtype)
        dense[hand_of, seat_no] = column
        return dense

    holes = np.stack([by_seat(column, -1) for column in rest[:2]], 2).astype(np.int8)
    boards = np.stack(rest[2:7], 1)[first].astype(np.int8)
    folded = by_seat(rest[7], 0)
    bets = np.stack([by_seat(column, -1) for column in rest[8:11]], 2).astype(np.float64)
    chances = np.stack([by_seat(column, -1) for column in rest[11:14]], 2).astype(np.float64)
    # A seat without cards is never in, so any cards will do.
    someone = np.argmax(holes[:, :, 1] >= 0, 1)
    holes = np.where(holes >= 0, holes, holes[np.arange(hands), someone][:, None])
    numbers = np.array([group.place[int(each)] for each in match[first].tolist()], np.int32)
    index = index[first].astype(np.int32)
    entered = bets[:, :, 0] >= 0
    put = np.where(entered | (folded > 0), rule.BUY_IN, 0.0) + np.maximum(bets, 0.0).sum(2)
    hand, street, seat = np.nonzero(chances.transpose(0, 2, 1) >= 0)
    street += 1
    live = (entered << np.arange(count)).sum(1)
    acts = np.zeros((len(hand), h.COLUMNS), np.float32)
    already: NDArray[np.int64] = np.cumsum(entered, 1) - entered
    acts[:, h.HAND], acts[:, h.SEAT], acts[:, h.STREET] = hand, seat, street
    acts[:, h.LEVEL] = np.where(street == 1, already[hand, seat], entered.sum(1)[hand])
    acts[:, h.LIVE] = live[hand] | 1 << seat
    own = bets[hand, seat]
    option = np.zeros(len(hand), np.int64)
    chips = np.zeros((len(hand), OPTIONS))
    for number in range(1, _BETS + 1):
        here = street == number
        option[here], chips[here] = _options(number, own[here])
    acts[:, h.ACTION] = np.where(option == 0, FOLD, PLAY)
    acts[:, h.POT] = put.sum(1)[hand]
    rows = Rows(numbers, index, index, holes, boards, np.zeros(hands, np.int8), acts)
    made = decisions_of(rows, group.seats, np.full(len(group.matches), rule.BUY_IN), _BOARDS)
    made.own[np.arange(len(hand)), seat] = chances[hand, seat, street - 1]
    worth = worth_of(
        made.shares, made.after, made.live, made.seat, put[hand] / rule.BUY_IN, chips / rule.BUY_IN
    )
    keys = np.array([sets[int(place)] for place in numbers.tolist()], np.uint64)[hand]
    return Part(made, np.stack((keys, index[hand].astype(np.uint64)), 1), option, worth)


def looked_at(index: NDArray[Any], every: int) -> NDArray[Any]:
    """The number of analysed games of a match before this hand_index: one of `every`."""
    return -(-index // every)


def part_of(store: "Store", group: Group, ids: list[int]) -> Part:
    """The decisions of some matches of a group."""
    found = store.sql(
        queries("collusion")["koper_games"], ids=ids, deck=list(CARD_TEXT), every=group.every
    ).fetchnumpy()
    card_sets = store.execute(queries("collusion")["card_sets"], ids=ids).fetchall()
    sets = {group.place[int(match)]: int(key) for match, key in card_sets}
    return _part([np.ma.filled(column, 0) for column in found.values()], group, sets)


def joined_parts(parts: Sequence[Part], **head: Any) -> KoperMaterial:
    """The material of some parts; head: the fields of `Material` except the decisions."""
    _, card_set = np.unique(np.concatenate([part.card_set for part in parts]), axis=0, return_inverse=True)
    return KoperMaterial(
        **head,
        decisions=joined([part.decisions for part in parts]),
        card_set=card_set.ravel(),
        option=np.concatenate([part.option for part in parts]),
        worth=np.concatenate([part.worth for part in parts]),
    )
