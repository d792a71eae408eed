"""The decisions of one event and game, with the value of the cards: what the detectors analyse.

Tests take them from simulated matches as well (`tests/arena`), and check that both give the same.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ...replay import showdowns
from ...replay.cards import CARD_TEXT
from ...replay.games import HOLDEM_BOARDS, HOLDEM_STREETS
from ...replay.records import BET, CALL, CHECK, FOLD, RAISE
from ...schema.words import ACTIONS, ORIGINS
from ..players import rules_of
from ..views import queries

if TYPE_CHECKING:
    from ..store import Store

# Columns of a decision in `Rows.acts`.
(
    HAND,
    SEAT,
    STREET,
    ACTION,
    TO_CALL,
    POT,
    PIP,
    RAISE_TO,  # 0 where none is named
    LEVEL,
    HIGHEST,  # legal raise-to, 0 where none is
    AGGRESSOR,
    LIVE,  # who has not folded, a bit a seat
) = range(12)
COLUMNS: Final = 12

FOLDS, PASSES, ATTACKS = range(3)
"""The kinds of decisions for the detectors: a fold; a check or call; a bet or raise."""

_KIND: Final = {FOLD: FOLDS, CHECK: PASSES, CALL: PASSES, BET: ATTACKS, RAISE: ATTACKS}
KINDS: Final = np.array([_KIND.get(code, PASSES) for code in range(len(ACTIONS))], np.int8)


@dataclass(frozen=True)
class Decisions:
    """A own decisions (origin 'choice') in the order of matches, hands and actions. Chips in bb; N seats.

    match, hand   (A,) index in `matches`, and hand_index; seat, player: of the actor
    place         number of the hand among the analysed hands of its match
    others        (A, N) player codes by seat
    street, position, level   street; seats after the dealer; bets and raises of the street, the blinds count as one
    kind          FOLDS, PASSES or ATTACKS
    to_call, pot, added, most   chips: to call, in the pot, added by this decision, the most that could be added
    raise_to      in chips of the log, 0 if the decision has no size
    faced         the bet faced in chips of the log: the largest amount of another player on the street
    aggressor     seat of the last bet or raise of the hand, -1 for none
    live          players still in the hand, a bit a seat
    own, shares, after   (A, N) `showdowns.value_decisions`
    """

    match: NDArray[np.int32]
    hand: NDArray[np.int32]
    place: NDArray[np.int32]
    seat: NDArray[np.int8]
    player: NDArray[np.int16]
    others: NDArray[np.int16]
    street: NDArray[np.int8]
    position: NDArray[np.int8]
    level: NDArray[np.int8]
    kind: NDArray[np.int8]
    to_call: NDArray[np.float32]
    pot: NDArray[np.float32]
    added: NDArray[np.float32]
    most: NDArray[np.float32]
    raise_to: NDArray[np.float32]
    faced: NDArray[np.float32]
    aggressor: NDArray[np.int8]
    live: NDArray[np.int32]
    own: NDArray[np.float32]
    shares: NDArray[np.float32]
    after: NDArray[np.float32]

    def __len__(self) -> int:
        """The number of decisions."""
        return len(self.match)


@dataclass(frozen=True)
class Material:
    """The decisions and results of one event and game.

    players   names by code; with the seat if one match holds a name twice
    matches   match_ids, or numbers from 0 for simulated matches
    seats     (M, N) player code by seat of each match; hands (M,) number analysed of the hands `played`
    results   (M, N) chips won in bb
    failed    matches that are compared with nothing: match_id, and the player that failed in it
    streets   names of the streets
    """

    event: str
    game: str
    players: tuple[str, ...]
    matches: tuple[int, ...]
    seats: NDArray[np.int16]
    hands: NDArray[np.int64]
    played: NDArray[np.int64]
    results: NDArray[np.float64]
    decisions: Decisions
    failed: tuple[tuple[int, str], ...] = field(default=(), kw_only=True)
    streets: tuple[str, ...] = field(default=HOLDEM_STREETS, kw_only=True)
    order: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64), kw_only=True)

    @property
    def heads_up(self) -> bool:
        """Whether matches have two players."""
        return bool(self.seats.shape[1] == 2)

    def did(self, k: int) -> str:
        """What a decision was, without who took it: "raised, adding 12.5 bb facing 4 bb in a pot of 9.5 bb"."""
        d = self.decisions
        call, pot, added = float(d.to_call[k]), float(d.pot[k]), float(d.added[k])
        faces = f" facing {call:.3g} bb" if call > 0 else ""
        if d.kind[k] == FOLDS:
            return f"folded{faces} in a pot of {pot:.3g} bb"
        if d.kind[k] == PASSES:
            return f"{'called' if call > 0 else 'checked'}{faces} in a pot of {pot:.3g} bb"
        return f"{'raised, adding' if call > 0 else 'bet'} {added:.3g} bb{faces} in a pot of {pot:.3g} bb"

    def sentence(self, k: int, other: int) -> str:
        """One sentence about a decision: what the player did, what it could know, and what another player held."""
        d = self.decisions
        street = self.streets[min(int(d.street[k]), len(self.streets) - 1)]
        seat = int(d.seat[k])
        theirs = int(np.argmax((d.others[k] == other) & (np.arange(d.others.shape[1]) != seat)))
        where = street if street == self.streets[0] else f"on the {street}"
        gone = "" if d.live[k] >> theirs & 1 else ", which is not in,"
        return (
            f"{self.players[int(d.player[k])]} {self.did(k)} {where}: {self.knew(k, seat)}, "
            f"the hand of {self.players[other]}{gone} beats {d.own[k, theirs]:.0%} of unseen hands; with the cards "
            f"really held it wins {d.shares[k, seat]:.0%} of showdowns"
        )

    def knew(self, k: int, seat: int) -> str:
        """How good a player could know its own hand to be."""
        return f"its hand beats {self.decisions.own[k, seat]:.0%} of unseen hands"

    @cached_property
    def hands_of_pair(self) -> dict[tuple[int, int], int]:
        """Analysed hands in which two players met, in both orders; a player with two seats meets itself."""
        found: Counter[tuple[int, int]] = Counter()
        for seats, hands in zip(self.seats.tolist(), self.hands.tolist(), strict=True):
            for pair in set(permutations(seats, 2)):
                found[pair] += hands
        return dict(found)

    @cached_property
    def hands_of(self) -> dict[int, int]:
        """Analysed hands by player."""
        found: Counter[int] = Counter()
        for seats, hands in zip(self.seats.tolist(), self.hands.tolist(), strict=True):
            for player in set(seats):
                found[player] += hands
        return dict(found)


@dataclass(frozen=True)
class Group:
    """Matches of one event and game that are read together.

    matches  match_ids; seats (M, N) player codes by seat; hands (M,) hands that can be analysed; units (M,) chips a bb
    every    one of so many pieces of a match is analysed, to limit the memory
    """

    game: str
    matches: tuple[int, ...]
    seats: NDArray[np.int16]
    hands: NDArray[np.int64]
    units: NDArray[np.float64]
    every: int

    @cached_property
    def place(self) -> dict[int, int]:
        """The index of each match_id in `matches`."""
        return {match: place for place, match in enumerate(self.matches)}

    def places(self, matches: NDArray[Any]) -> NDArray[np.int64]:
        """The index in `matches` of each match_id of a column."""
        return np.array([self.place[int(match)] for match in matches.tolist()], np.int64)


@dataclass(frozen=True)
class Rows:
    """Hands and actions in order, chips as in the log; the columns of hands have a row a hand, `acts` one an action.

    match, index, place (H,); holes (H, N, 2), boards (H, 5) int8 codes; dealers (H,)
    acts   (A, COLUMNS) float32; HAND is the row of the hand
    """

    match: NDArray[np.int32]
    index: NDArray[np.int32]
    place: NDArray[np.int32]
    holes: NDArray[np.int8]
    boards: NDArray[np.int8]
    dealers: NDArray[np.int8]
    acts: NDArray[np.float32]


def decisions_of(
    rows: Rows, seats: NDArray[np.int16], units: NDArray[np.float64], board_sizes: Sequence[int]
) -> Decisions:
    """The decisions of some hands with the value of the cards; seats (M, N) player codes; units (M,) chips a bb."""
    acts = rows.acts
    hand = acts[:, HAND].astype(np.int32)
    seat = acts[:, SEAT].astype(np.int8)
    street = acts[:, STREET].astype(np.int8)
    live = acts[:, LIVE].astype(np.int32)
    count, n = len(acts), seats.shape[1]
    own, shares, after = (np.zeros((count, n), np.float32) for _ in range(3))
    if count:
        showdowns.value_decisions(
            hand,
            street,
            seat,
            live,
            rows.holes,
            rows.boards,
            np.array(board_sizes, np.int64),
            showdowns.rough_chart(),
            own,
            shares,
            after,
            np.zeros(16, np.int64),
            np.zeros((showdowns.BOARDS, n), np.int64),
            np.zeros(625, np.int64),
        )
    match = rows.match[hand]
    unit = units[match]
    others = seats[match]
    kind = KINDS[acts[:, ACTION].astype(np.int64)]
    to_call, pip, raise_to = acts[:, TO_CALL], acts[:, PIP], acts[:, RAISE_TO]
    is_call = acts[:, ACTION] == CALL
    added = np.where(kind == ATTACKS, raise_to - pip, np.where(is_call, to_call, 0))
    highest = acts[:, HIGHEST]
    return Decisions(
        match=match,
        hand=rows.index[hand],
        place=rows.place[hand],
        seat=seat,
        player=others[np.arange(count), seat],
        others=others,
        street=street,
        position=((seat - rows.dealers[hand]) % n).astype(np.int8),
        level=acts[:, LEVEL].astype(np.int8),
        kind=kind,
        to_call=(to_call / unit).astype(np.float32),
        pot=(acts[:, POT] / unit).astype(np.float32),
        added=(added / unit).astype(np.float32),
        most=(np.where(highest > 0, highest - pip, 0) / unit).astype(np.float32),
        raise_to=raise_to.astype(np.float32),
        faced=(to_call + pip).astype(np.float32),
        aggressor=acts[:, AGGRESSOR].astype(np.int8),
        live=live,
        own=own,
        shares=shares,
        after=after,
    )


def joined(parts: Sequence[Decisions]) -> Decisions:
    """Several parts concatenated."""
    return Decisions(
        **{
            name: np.concatenate([getattr(part, name) for part in parts])
            for name in Decisions.__annotations__
        }
    )


def seats_with(d: Decisions, one: int, other: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The decisions of a player with another at the table, and the seat of the other."""
    mine = np.flatnonzero((d.player == one) & (d.others == other).any(1))
    return mine, np.argmax(d.others[mine] == other, 1)


MOST: Final = 250_000
"""Most hands analysed of an event and game, to limit the memory; of more, evenly spread runs of 25 of each match."""
RUN: Final = 25
FIRST: Final = 50
"""Hands in a run of those that are analysed, and at the start of a match that all are."""

_CHOICE: Final = ORIGINS.index("choice")
_FOLD: Final = ACTIONS.index("fold")
_NAMES_A_SIZE: Final = ("bet", "raise")


def _columns(store: "Store", query: str, **params: object) -> list[NDArray[Any]]:
    found = store.sql(query, **params).fetchnumpy()
    return [np.ma.filled(column, 0) if np.ma.isMaskedArray(column) else column for column in found.values()]


def _before(group: Group, columns: list[NDArray[Any]]) -> list[NDArray[Any]]:
    """The rows of the analysed hands; the first columns are match_id and hand_index."""
    match, index = columns[:2]
    here = index < group.hands[group.places(match)]
    return [column[here] for column in columns]


def _rows(store: "Store", group: Group, ids: list[int]) -> Rows:
    """Hands, and the decisions of those whose cards are all known; one of `group.every` runs of hands is taken."""
    seats, every = group.seats.shape[1], group.every
    match, index, _, dealer, *cards = _columns(
        store,
        queries("collusion")["holes"],
        ids=ids,
        deck=list(CARD_TEXT),
        every=every,
        run=RUN,
        first=FIRST,
    )
    match, index, dealer, *cards = _before(group, [match, index, dealer, *cards])
    hands = len(match) // seats
    holes = np.stack(cards[:2], 1).reshape(hands, seats, 2).astype(np.int8)
    boards = np.stack(cards[2:], 1)[::seats].astype(np.int8)
    number = group.places(match[::seats]).astype(np.int32)
    index = index[::seats].astype(np.int32)
    acts_asked = {"actions": list(ACTIONS), "origins": list(ORIGINS)}
    m, i, seat, street, action, origin, *rest = _before(
        group,
        _columns(
            store, queries("collusion")["acts"], ids=ids, every=every, run=RUN, first=FIRST, **acts_asked
        ),
    )
    at = group.places(m)
    where = np.searchsorted(number.astype(np.int64) << 32 | index, at << 32 | i.astype(np.int64))
    # Players still in: all who have not folded earlier in the hand.
    folded = np.where(action == _FOLD, 1 << seat.astype(np.int64), 0)
    before = np.cumsum(folded) - folded
    first = np.searchsorted(where, where, side="left")
    live = (1 << seats) - 1 - (before - before[first])
    acts = np.zeros((len(m), COLUMNS), np.float32)
    to_call, pot, pip, amount, level, highest, aggressor = rest
    names_size = np.isin(action, [ACTIONS.index(name) for name in _NAMES_A_SIZE])
    for column, value in (
        (HAND, where),
        (SEAT, seat),
        (STREET, street),
        (ACTION, action),
        (TO_CALL, to_call),
        (POT, pot),
        (PIP, pip),
        (RAISE_TO, np.where(names_size, amount, 0)),
        (LEVEL, level),
        (HIGHEST, highest),
        (AGGRESSOR, aggressor),
        (LIVE, live),
    ):
        acts[:, column] = value
    known: NDArray[np.bool_] = np.all(holes[:, :, 0] >= 0, axis=1)
    chosen = (origin == _CHOICE) & known[where]
    return Rows(
        number, index, looked_at(index, every), holes, boards, dealer[::seats].astype(np.int8), acts[chosen]
    )


def looked_at(index: NDArray[Any], every: int) -> NDArray[np.int32]:
    """The number of analysed hands of a match before this hand_index: the first 50, then each `every`-th run of 25."""
    run, first = index // RUN, FIRST // RUN
    runs = -(-run // every) - -(-first // every)
    within = np.where(run % every == 0, index % RUN, 0)
    return np.where(index < FIRST, index, FIRST + runs * RUN + within).astype(np.int32)


def part_of(store: "Store", group: Group, ids: list[int]) -> Decisions:
    """The decisions of some matches of a group."""
    sizes = tuple(rules_of(store, group.game).board_cards or HOLDEM_BOARDS)
    return decisions_of(_rows(store, group, ids), group.seats, group.units, sizes)


def joined_parts(parts: Sequence[Decisions], **head: Any) -> Material:
    """The material of some parts; head: the fields of `Material` except the decisions."""
    return Material(**head, decisions=joined(parts))
