"""The material of a store, one event and game after the other."""

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ...parsers.tables import ACTIONS, ORIGINS
from ...replay.arena import heads_up as h
from ...replay.cards import CARD_TEXT
from . import koper, koper_reading
from .material import Material, Rows, board_sizes_of, decisions_of, joined

if TYPE_CHECKING:
    from ..store import Store

_HANDS: Final = 25_000
"""Hands that are read together."""

MOST: Final = 250_000
"""Hands of an event and game that are looked at: of more, runs of 25 evenly over every match. It bounds the memory."""
_RUN: Final = 25
_FIRST: Final = 50

GAMES: Final = ("holdem-mit", "bounty", koper.GAME)
"""Those looked at, beside `acpc/...`: one board, hole cards that stay as dealt."""

_MATCHES: Final = """
    select m.match_id, m.event, m.game, m.players, m.hands, m.unit
    from matches as m
    where (list_contains($games, m.game) or m.game like 'acpc/%') and ($event is null or m.event = $event)
    order by m.event, m.game, m.match_id
"""
_RESULTS: Final = (
    "select match_id, seat, sum(delta) from seats where list_contains($ids, match_id) group by all"
)
# A card's code by its text: the place in the list, 1 for the first.
_HOLES: Final = """
    select s.match_id, s.hand_index, s.seat, h.dealer_seat,
        coalesce(list_position($deck, s.hole[1]), 0) - 1, coalesce(list_position($deck, s.hole[2]), 0) - 1,
        coalesce(list_position($deck, h.board[1]), 0) - 1, coalesce(list_position($deck, h.board[2]), 0) - 1,
        coalesce(list_position($deck, h.board[3]), 0) - 1, coalesce(list_position($deck, h.board[4]), 0) - 1,
        coalesce(list_position($deck, h.board[5]), 0) - 1
    from stored.seats as s
    join stored.hands as h on h.match_id = s.match_id and h.hand_index = s.hand_index
    where list_contains($ids, s.match_id) and h.verdict <> 'damaged'
        and (s.hand_index < $first or s.hand_index // $run % $every = 0)
    order by s.match_id, s.hand_index, s.seat
"""
_ACTS: Final = """
    select a.match_id, a.hand_index, a.seat, a.street,
        list_position($actions, a.action) - 1, list_position($origins, a.origin) - 1,
        a.to_call, a.pot_before, a.pip_before, coalesce(a.amount_to, 0), a.bet_level,
        coalesce(a.max_raise_to, 0), coalesce(a.aggressor_seat, -1)
    from actions as a
    join stored.hands as h on h.match_id = a.match_id and h.hand_index = a.hand_index
    where list_contains($ids, a.match_id) and h.verdict <> 'damaged' and a.action <> 'post'
        and (a.hand_index < $first or a.hand_index // $run % $every = 0)
    order by a.match_id, a.hand_index, a.seq
"""
_CHOICE: Final = ORIGINS.index("choice")
_FOLD: Final = ACTIONS.index("fold")
_NAMES_A_SIZE: Final = ("bet", "raise")

Progress = Callable[[int, int], None]


def _columns(store: "Store", query: str, **params: object) -> list[NDArray[Any]]:
    found = store.sql(query, **params).fetchnumpy()
    return [np.ma.filled(column, 0) if np.ma.isMaskedArray(column) else column for column in found.values()]


def _names(players: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """The names by match; with the seat where one match holds a name twice."""
    return [
        tuple(f"{name} (seat {seat})" if match.count(name) > 1 else name for seat, name in enumerate(match))
        for match in map(list, players)
    ]


def _rows(store: "Store", ids: list[int], places: dict[int, int], seats: int, every: int) -> Rows:
    """Hands whose cards are all known and their choices; every: of so many runs of hands one is taken."""
    match, index, _, dealer, *cards = _columns(
        store, _HOLES, ids=ids, deck=list(CARD_TEXT), every=every, run=_RUN, first=_FIRST
    )
    hands = len(match) // seats
    holes = np.stack(cards[:2], 1).reshape(hands, seats, 2).astype(np.int8)
    boards = np.stack(cards[2:], 1)[::seats].astype(np.int8)
    key = match[::seats].astype(np.uint64)
    number = np.array([places[int(each)] for each in key.tolist()], np.int32)
    index = index[::seats].astype(np.int32)
    m, i, seat, street, action, origin, *rest = _columns(
        store,
        _ACTS,
        ids=ids,
        actions=list(ACTIONS),
        origins=list(ORIGINS),
        every=every,
        run=_RUN,
        first=_FIRST,
    )
    at = np.array([places[int(each)] for each in m.tolist()], np.int64)
    where = np.searchsorted(number.astype(np.int64) << 32 | index, at << 32 | i.astype(np.int64))
    # Who is still in: all but those who folded earlier in the hand.
    folded = np.where(action == _FOLD, 1 << seat.astype(np.int64), 0)
    before = np.cumsum(folded) - folded
    first = np.searchsorted(where, where, side="left")
    live = (1 << seats) - 1 - (before - before[first])
    acts = np.zeros((len(m), h.COLUMNS), np.float32)
    to_call, pot, pip, amount, level, highest, aggressor = rest
    names_size = np.isin(action, [ACTIONS.index(name) for name in _NAMES_A_SIZE])
    for column, value in (
        (h.HAND, where),
        (h.SEAT, seat),
        (h.STREET, street),
        (h.ACTION, action),
        (h.TO_CALL, to_call),
        (h.POT, pot),
        (h.PIP, pip),
        (h.RAISE_TO, np.where(names_size, amount, 0)),
        (h.LEVEL, level),
        (h.HIGHEST, highest),
        (h.AGGRESSOR, aggressor),
        (h.LIVE, live),
    ):
        acts[:, column] = value
    known: NDArray[np.bool_] = np.all(holes[:, :, 0] >= 0, axis=1)
    chosen = (origin == _CHOICE) & known[where]
    return Rows(
        number, index, _looked_at(index, every), holes, boards, dealer[::seats].astype(np.int8), acts[chosen]
    )


def _looked_at(index: NDArray[Any], every: int) -> NDArray[np.int32]:
    """How many hands of a match before this hand_index are looked at: the first 50, and each `every`-th run of 25."""
    run, first = index // _RUN, _FIRST // _RUN
    runs = -(-run // every) - -(-first // every)
    within = np.where(run % every == 0, index % _RUN, 0)
    return np.where(index < _FIRST, index, _FIRST + runs * _RUN + within).astype(np.int32)


def _chunks(ids: list[int], hands: list[int]) -> Iterator[list[int]]:
    chunk: list[int] = []
    held = 0
    for match, count in zip(ids, hands, strict=True):
        if chunk and held + count > _HANDS:
            yield chunk
            chunk, held = [], 0
        chunk.append(match)
        held += count
    if chunk:
        yield chunk


def materials(
    store: "Store", event: str | None = None, progress: Progress | None = None
) -> Iterator[Material]:
    """The material of each event and game that is looked at; event: of one only.

    progress  called with hands read and hands there are
    """
    rows = store.sql(_MATCHES, games=list(GAMES), event=event).fetchall()
    total, done = sum(row[4] for row in rows), 0
    groups: dict[tuple[str, str, int], list[tuple[Any, ...]]] = {}
    for row in rows:
        groups.setdefault((row[1], row[2], len(row[3])), []).append(row)
    for (name, game, seats), found in groups.items():
        ids, hands = [int(row[0]) for row in found], [int(row[4]) for row in found]
        unit = float(found[0][5] or 1.0)
        by_match = _names([row[3] for row in found])
        players = tuple(sorted({player for match in by_match for player in match}))
        code = {player: k for k, player in enumerate(players)}
        table = np.array([[code[player] for player in match] for match in by_match], np.int16)
        places = {match: k for k, match in enumerate(ids)}
        is_koper = game == koper.GAME
        every = -(-sum(hands) // (koper_reading.MOST if is_koper else MOST))
        looked = [
            -(-count // every) if is_koper else int(_looked_at(np.array([count]), every)[0])
            for count in hands
        ]
        parts: list[Any] = []
        results = np.zeros((len(ids), seats))
        for chunk in _chunks(ids, hands):
            if is_koper:
                parts.append(koper_reading.part_of(store, chunk, places, table, every))
            else:
                parts.append(
                    decisions_of(_rows(store, chunk, places, seats, every), table, unit, board_sizes_of(game))
                )
            for match, seat, won in store.sql(_RESULTS, ids=chunk).fetchall():
                results[places[int(match)], seat] = (won or 0.0) / unit
            done += sum(hands[places[match]] for match in chunk)
            if progress:
                progress(done, total)
        head: dict[str, Any] = {
            "event": name,
            "game": game,
            "players": players,
            "matches": tuple(ids),
            "seats": table,
            "hands": np.array(looked, np.int64),
            "played": np.array(hands, np.int64),
            "results": results,
        }
        yield (
            koper_reading.joined_parts(parts, **head)
            if is_koper
            else Material(**head, decisions=joined(parts))
        )
