"""The material of Koper out of a store."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ...replay.arena import state as h
from ...replay.cards import CARD_TEXT
from ...replay.koper import game as rule
from ...replay.records import FOLD, PLAY
from .koper import OPTIONS, STEPS, KoperMaterial, option_of, worth_of
from .material import Decisions, Group, Rows, decisions_of, joined
from .value import Floats

if TYPE_CHECKING:
    from ..store import Store

MOST: Final = 60_000
"""Games of an event that are looked at: of more, evenly many of every match, with the others of their card set."""

_BOARDS: Final = (0, 3, 4, 5)
_BETS: Final = 3
# A card's code by its text: the place in the list, 1 for the first.
_GAMES: Final = """
    select
        k.match_id, k.hand_index, k.player_index,
        coalesce(list_position($deck, k.hole_cards[1]), 0) - 1,
        coalesce(list_position($deck, k.hole_cards[2]), 0) - 1,
        coalesce(list_position($deck, k.community_cards[1]), 0) - 1,
        coalesce(list_position($deck, k.community_cards[2]), 0) - 1,
        coalesce(list_position($deck, k.community_cards[3]), 0) - 1,
        coalesce(list_position($deck, k.community_cards[4]), 0) - 1,
        coalesce(list_position($deck, k.community_cards[5]), 0) - 1,
        cast(k.folded as integer),
        coalesce(k.bet_1, -1), coalesce(k.bet_2, -1), coalesce(k.bet_3, -1),
        coalesce(k.win_prob_1, -1), coalesce(k.win_prob_2, -1), coalesce(k.win_prob_3, -1)
    from koper_history as k
    anti join damaged_hands as d on d.match_id = k.match_id and d.hand_index = k.hand_index
    where list_contains($ids, k.match_id) and k.hand_index % $every = 0
    order by k.match_id, k.hand_index, k.player_index
"""
_CARD_SETS: Final = """
    select m.match_id, coalesce(m.duplicate_group, m.match_id)
    from matches as m
    where list_contains($ids, m.match_id)
"""


def _options(street: int, bets: Floats) -> tuple[NDArray[np.int64], Floats]:
    """The option that a bet of a round was, and what the player would have put in over the game by option.

    bets  (A, 3) of the player, -1 where he did not bet. Later bets keep their share of the bet before; where there were
    none, they are taken to be as large.
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
    """What some matches held; card_set: (A, 2) the key of the deals that a match is of, and the number of the game."""

    decisions: Decisions
    card_set: NDArray[np.uint64]
    option: NDArray[np.int64]
    worth: NDArray[np.float32]


def _part(columns: Sequence[NDArray[Any]], group: Group, sets: dict[int, int]) -> Part:
    """The decisions of some matches; sets: the key of each match's deals by its place."""
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
    # A seat without cards is never in; any cards do.
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
    """How many games of a match before this hand_index are looked at: one of every so many."""
    return -(-index // every)


def part_of(store: "Store", group: Group, ids: list[int]) -> Part:
    """What some matches of a group held."""
    found = store.sql(_GAMES, ids=ids, deck=list(CARD_TEXT), every=group.every).fetchnumpy()
    sets = {group.place[int(match)]: int(key) for match, key in store.sql(_CARD_SETS, ids=ids).fetchall()}
    return _part([np.ma.filled(column, 0) for column in found.values()], group, sets)


def joined_parts(parts: Sequence[Part], **head: Any) -> KoperMaterial:
    """The material of some parts; head: the fields of `Material` but the decisions."""
    _, card_set = np.unique(np.concatenate([part.card_set for part in parts]), axis=0, return_inverse=True)
    return KoperMaterial(
        **head,
        decisions=joined([part.decisions for part in parts]),
        card_set=card_set.ravel(),
        option=np.concatenate([part.option for part in parts]),
        worth=np.concatenate([part.worth for part in parts]),
    )
