"""The decisions of heads-up games with steps of their own, by the outcomes that luck is taken from.

Several boards, runs, hole cards that are swapped, permuted, bought at an auction or discarded: the cards that a player
holds when it decides are those of `hand_arrays`, and its share of the showdowns is exact (`hand_values.outcome`). Only
bets, calls, checks and folds are decisions here; bids, discards and assignments are not.
"""

from itertools import combinations
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ...replay import showdowns
from ...replay.records import CALL
from ...schema.words import ACTIONS
from ..hand_arrays import Dealt, groups_of, is_counted, read
from ..hand_values import outcome, point_of
from ..players import rules_of
from ..views import queries
from .material import ATTACKS, FIRST, KINDS, RUN, Decisions, Group, joined, joined_parts, looked_at

if TYPE_CHECKING:
    from ..store import Store

__all__ = ["MOST", "joined_parts", "looked_at", "part_of"]

MOST: Final = 60_000
"""Most hands analysed of an event and game; of more, evenly spread runs of 25 of each match."""
_GROUP: Final = 8_000
_WHOLE: Final = 5
_LAST: Final = 3


def reads(store: "Store", game: str, seats: int) -> bool:
    """Whether the decisions of a game can be valued: of two players, with counted outcomes."""
    return seats == 2 and is_counted(rules_of(store, game))


def part_of(store: "Store", group: Group, ids: list[int]) -> Decisions:
    """The decisions of some matches of a group."""
    parts = []
    for game, some in groups_of(store, ids, _GROUP):
        dealt = read(store, game, list(some))
        if dealt is not None:
            parts.append(_decisions(store, dealt, group, list(some)))
    return joined(parts) if parts else _none(group.seats.shape[1])


def _none(seats: int) -> Decisions:
    wide = ("others", "own", "shares", "after")
    fields: dict[str, Any] = {
        name: np.zeros((0, seats) if name in wide else 0, np.float32 if name in wide else np.int32)
        for name in Decisions.__annotations__
    }
    return Decisions(**fields)


def _decisions(store: "Store", dealt: Dealt, group: Group, ids: list[int]) -> Decisions:
    acts = store.sql(
        queries("collusion")["counted_acts"], ids=ids, every=group.every, run=RUN, first=FIRST
    ).pl()
    number = {
        key: row
        for row, key in enumerate(zip(dealt.match_id.tolist(), dealt.hand_index.tolist(), strict=True))
    }
    keys = zip(acts["match_id"].to_list(), acts["hand_index"].to_list(), strict=True)
    row = np.array([number.get(key, -1) for key in keys], np.int64)

    def column(name: str, kind: type = np.float64) -> NDArray[Any]:
        found: NDArray[Any] = acts[name].fill_null(0).to_numpy().astype(kind)
        return found

    board, street = column("board", np.int64), column("street", np.int64)
    size = np.array(dealt.shape.boards)[np.minimum(street, len(dealt.shape.boards) - 1)]
    place = group.places(acts["match_id"].to_numpy())
    index = column("hand_index", np.int64)
    kept = (row >= 0) & (index < group.hands[place])
    kept[kept] &= dealt.sound[board[kept], row[kept]] & (dealt.on_board[board[kept], row[kept]] >= size[kept])
    at = np.flatnonzero(kept)
    row, board, street, size, place, index = (each[at] for each in (row, board, street, size, place, index))
    count, seats = len(at), group.seats.shape[1]
    own, shares = (np.zeros((count, seats), np.float32) for _ in range(2))
    stages = np.minimum(street, len(dealt.held) - 1)
    for stage, table, cards in np.unique(np.stack((stages, board, size), 1), axis=0).tolist():
        here = np.flatnonzero((stages == stage) & (board == table) & (size == cards))
        shares[here] = outcome(dealt, point_of(dealt, table, row[here], stage, cards)).share
        own[here] = _strengths(dealt.held[stage][table][row[here]], dealt.board[table][row[here]], cards)
    # Where the outcome cannot be counted, no decision is judged.
    judged = np.isfinite(shares).all(axis=1)
    unit = group.units[place]
    action = np.array([ACTIONS.index(name) for name in acts["action"].to_list()], np.int64)[at]
    kind = KINDS[action]
    seat = column("seat", np.int64)[at]
    to_call, pip, raise_to, highest = (
        column(name)[at] for name in ("to_call", "pip_before", "amount_to", "max_raise_to")
    )
    added = np.where(kind == ATTACKS, raise_to - pip, np.where(action == CALL, to_call, 0.0))
    others = group.seats[place]
    aggressor = acts["aggressor_seat"].fill_null(-1).to_numpy()[at]
    found = Decisions(
        match=place.astype(np.int32),
        hand=index.astype(np.int32),
        place=looked_at(index, group.every),
        seat=seat.astype(np.int8),
        player=others[np.arange(count), seat],
        others=others,
        # The streets of a run are one situation.
        street=np.minimum(street, _LAST).astype(np.int8),
        position=((seat - dealt.dealer[row]) % seats).astype(np.int8),
        level=np.minimum(column("bet_level")[at], 100).astype(np.int8),
        kind=kind,
        to_call=(to_call / unit).astype(np.float32),
        pot=(column("pot_before")[at] / unit).astype(np.float32),
        added=(added / unit).astype(np.float32),
        most=(np.where(highest > 0, highest - pip, 0.0) / unit).astype(np.float32),
        raise_to=np.where(kind == ATTACKS, raise_to, 0.0).astype(np.float32),
        faced=(to_call + pip).astype(np.float32),
        aggressor=aggressor.astype(np.int8),
        live=np.full(count, (1 << seats) - 1, np.int32),
        own=own,
        shares=shares,
        after=np.zeros((count, seats), np.float32),
    )
    return Decisions(**{name: getattr(found, name)[judged] for name in Decisions.__annotations__})


def _strengths(holes: NDArray[np.int8], board: NDArray[np.int8], size: int) -> NDArray[np.float32]:
    """(n, p) the share of unseen hands that each hand beats so far; of three cards and more the best two.

    holes  (n, p, cards) codes; board: (n, cards), of which `size` lie, the first five of a run
    """
    lying = np.full((len(holes), _WHOLE), -1, np.int8)
    lying[:, : min(board.shape[1], _WHOLE)] = board[:, :_WHOLE]
    best = np.zeros(holes.shape[:2], np.float32)
    for one, two in combinations(range(holes.shape[2]), 2):
        known = (holes[:, :, one] >= 0) & (holes[:, :, two] >= 0)
        rows = np.flatnonzero(known.any(axis=1))
        if not len(rows):
            continue
        own, shares, after = (np.zeros((len(rows), holes.shape[1]), np.float32) for _ in range(3))
        # A seat without this pair of cards has its first two.
        pair = np.where(known[rows, :, None], holes[rows][:, :, [one, two]], holes[rows][:, :, :2])
        showdowns.value_decisions(
            np.arange(len(rows), dtype=np.int32),
            np.full(len(rows), min(size, _WHOLE), np.int8),
            np.zeros(len(rows), np.int8),
            np.full(len(rows), (1 << holes.shape[1]) - 1, np.int32),
            np.ascontiguousarray(pair),
            lying[rows],
            np.arange(_WHOLE + 1),
            showdowns.rough_chart(),
            own,
            shares,
            after,
            np.zeros(16, np.int64),
            np.zeros((showdowns.BOARDS, holes.shape[1]), np.int64),
            np.zeros(625, np.int64),
        )
        best[rows] = np.maximum(best[rows], np.where(known[rows], own, 0))
    return best
