"""The relation `equities`: computed on first use for the matches that lack it, and kept in the store.

A batch of the store (`storage.manifest`) is extended by parts of the table `equities`; an ingest that drops or rewrites
the batch handles them too.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from ..progress import Progress
from ..replay.columns import filled
from ..replay.equity import preflop
from ..replay.equity.runouts import NO_RUN
from ..schema.columns import assembled
from ..storage.locations import Place
from ..storage.manifest import Batch, Part, extend, locked, read_manifest, readable, staging, unwritable
from ..storage.writer import BatchWriter
from . import hand_values
from .hand_arrays import Dealt, Group, groups_of, read
from .hand_values import Outcome, Point, outcome
from .players import Asked

Columns = dict[str, NDArray[Any]]
_GROUP: Final = 8_000
"""Hands computed at a time."""

_LOOK: Final = 2
"""River of Blood: red cards followed beyond the next card; more of them once all betting is over."""
_LOOK_ALL_IN: Final = {0: 4, 1: 4, 2: 6}


def ensure(store: Asked, place: Place, progress: Progress | None = None) -> int:
    """Compute the equities that an open store lacks and add them to it; returns the number of matches.

    progress  called with the hands done and their total
    Raises StoreError if the store cannot be read, NotWritable if it cannot be written. Other processes may compute,
    ingest or compact at the same time, without waiting.
    """
    counted: set[int] = set()
    # Results are dropped if another process added them first or replaced the batch; that batch is read again.
    while wanted := _wanted(store, place):
        with ExitStack() as stack:
            with locked(place):
                folder = stack.enter_context(staging(place))
            try:
                kept = _count_all(store, place, folder, wanted, progress)
            except OSError as error:
                # For example a full disk.
                raise unwritable(place, error) from None
            counted.update(match_id for groups in wanted.values() for _, ids in groups for match_id in ids)
        if kept:
            break
    return len(counted)


def _count_all(
    store: Asked, place: Place, folder: Path, wanted: Mapping[str, Sequence[Group]], progress: Progress | None
) -> bool:
    """Compute and store the equities of some batches' matches; False if some batches must be read again."""
    total = sum(sum(ids.values()) for groups in wanted.values() for _, ids in groups)
    done, kept = 0, True
    for name, groups in wanted.items():
        writer = BatchWriter(folder)
        for game, ids in groups:
            _count(store, game, set(ids), writer)
            done += sum(ids.values())
            if progress is not None:
                progress(done, total)
        kept &= _keep(place, folder, name, {match_id for _, ids in groups for match_id in ids}, writer)
    return kept


def _wanted(store: Asked, place: Place) -> dict[str, list[Group]]:
    """The matches without equities, by batch."""
    lacking = ((batch.name, _missing(place, batch)) for batch in read_manifest(place).batches)
    found = {name: list(groups_of(store, list(ids), _GROUP)) for name, ids in lacking if ids}
    return {name: groups for name, groups in found.items() if groups}


def _count(store: Asked, game: str, match_ids: set[int], writer: BatchWriter) -> None:
    dealt = read(store, game, sorted(match_ids))
    rows = None if dealt is None else _equity_rows(dealt)
    rows_of: Counter[int] = Counter()
    if rows is not None:
        writer.add("equities", rows)
        rows_of.update(rows["match_id"].to_pylist())
    writer.add("counted", _counted_rows({match_id: rows_of[match_id] for match_id in sorted(match_ids)}))


def _keep(place: Place, folder: Path, name: str, match_ids: set[int], writer: BatchWriter) -> bool:
    """Add results to their batch; False if the batch is gone or already has them."""
    counted = writer.close()
    with locked(place):
        live = {batch.name: batch for batch in read_manifest(place).batches}
        if counted is None or name not in live or not match_ids <= _missing(place, live[name]):
            return False
        extend(place, folder, {name: list(counted.parts)})
    return True


def _column(place: Place, parts: list[Part], name: str) -> set[int]:
    found: set[int] = set()
    for part in parts:
        with readable(place, part), pq.ParquetFile(place.open(part.name)) as file:
            found.update(pc.unique(file.read([name])[name]).to_pylist())
    return found


def _missing(place: Place, batch: Batch) -> set[int]:
    """The matches of a batch that have no equities."""
    return _column(place, batch.of("matches"), "match_id") - _column(place, batch.of("counted"), "match_id")


def _counted_rows(matches: Mapping[int, int]) -> pa.Table:
    """The table `counted`: the number of rows of equities by match."""
    return assembled(
        "counted",
        {
            "match_id": pa.array(list(matches), pa.uint64()),
            "rows": pa.array(list(matches.values()), pa.int64()),
        },
    )


def _equity_rows(dealt: Dealt) -> pa.Table | None:
    """The rows of `equities` of a group of hands, in order; None if there are none."""
    rows: list[Columns] = []
    for street in range(dealt.streets):
        for board in range(len(dealt.board)):
            rows += _street(dealt, street, board)
    if dealt.game.boards > 1 or dealt.game.discards:
        rows.append(_deal_rows(dealt))
    merged = {name: np.concatenate([each[name] for each in rows]) for name in rows[0]} if rows else {}
    if not rows or not len(merged["row"]):
        return None
    order = np.lexsort((merged["seat"], merged["board_no"], merged["street"], merged["row"]))
    merged = {name: column[order] for name, column in merged.items()}
    at = merged.pop("row")
    merged["board_no"] = np.where(merged["board_no"] == 0, -1, merged["board_no"])
    keys = {"match_id": dealt.match_id[at], "hand_index": dealt.hand_index[at]}
    return assembled("equities", filled("equities", keys | merged))


def _inside(dealt: Dealt, street: int, board: int, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    inside: NDArray[np.bool_] = dealt.present[rows] & (dealt.folded[board][rows] >= street)
    return inside


def _all_in(dealt: Dealt, street: int, rows: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Whether at most one player still in a pot has chips left to bet."""
    if street == 0:
        return np.zeros(len(rows), np.bool_)
    spent = dealt.put[street][:, rows].sum(axis=0)
    inside = dealt.present[rows] & (dealt.folded[:, rows] >= street).any(axis=0)
    able = inside & ~(dealt.stack[rows] <= spent)
    done: NDArray[np.bool_] = able.sum(axis=1) <= 1
    return done


def _street(dealt: Dealt, street: int, board: int) -> Iterator[Columns]:
    """The rows of a street on a board."""
    sizes = dealt.shape.boards
    if street >= len(sizes):
        return
    reached = dealt.sound[board] & (dealt.on_board[board] >= sizes[street])
    rows = np.flatnonzero(reached)
    inside = _inside(dealt, street, board, rows)
    several = inside.sum(axis=1) >= 2
    if dealt.game.discards:
        # Before both players have discarded, their final hands are unknown.
        held_2 = (dealt.held[street][board][rows] >= 0).sum(axis=2) == 2
        several &= held_2.all(axis=1) & (street > 0)
    rows, inside = rows[several], inside[several]
    if not len(rows):
        return
    done = _all_in(dealt, street, rows)
    put = dealt.put[street][board][rows]
    if street == 0:
        put = np.where(dealt.present[rows], dealt.unit[rows][:, None], 0.0)
    if dealt.game.runs and street:
        yield from _bloody_street(dealt, street, rows, inside, put, done)
        return
    now = outcome(dealt, Point(board, rows, street, sizes[street], inside, put), unseen=True)
    before, after = _change(dealt, street, board, rows, inside, put, now)
    yield _columns(dealt, street, board, rows, inside, now, put, before, after, done)


def _change(
    dealt: Dealt,
    street: int,
    board: int,
    rows: NDArray[np.int64],
    inside: NDArray[np.bool_],
    put: NDArray[np.float64],
    now: Outcome,
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The values just before and just after the cards of a street are dealt, with the hole cards of that moment."""
    nothing = np.full(inside.shape, np.nan)
    if street == 0:
        if dealt.game.boards > 1:
            return nothing, nothing
        if dealt.game.bounties:
            known: NDArray[np.bool_] = np.asarray((dealt.ranks[rows] >= 0).all(axis=1))
            before = hand_values.bounty_before_deal(dealt.ranks[rows], put[:, 0], dealt.dealer[rows])
            return np.where(known[:, None], before, np.nan), now.value
        return np.where(inside, 0.0, np.nan), now.value
    if dealt.game.discards and street == 1:
        return nothing, nothing
    sizes = dealt.shape.boards
    earlier = outcome(dealt, Point(board, rows, street - 1, sizes[street - 1], inside, put))
    if dealt.held[street - 1] is dealt.held[street]:
        return earlier.value, now.value
    after = outcome(dealt, Point(board, rows, street - 1, sizes[street], inside, put))
    return earlier.value, after.value


def _bloody_street(
    dealt: Dealt,
    street: int,
    rows: NDArray[np.int64],
    inside: NDArray[np.bool_],
    put: NDArray[np.float64],
    done: NDArray[np.bool_],
) -> Iterator[Columns]:
    """River of Blood: the flop is valued as if the river were the last card, later cards by following the run."""
    sizes = dealt.shape.boards
    size = sizes[street]
    first = np.full(len(rows), NO_RUN)
    for earlier in range(street, 0, -1):
        alone = _all_in(dealt, earlier, rows)
        first = np.where(alone, earlier, first)
    looks = {0: max(size - 5, 0) + _LOOK}
    looks.update({k: max(_LOOK_ALL_IN.get(k - 1, k + 4), size - 5) for k in range(1, street + 1)})
    for kind, run in looks.items():
        at = np.flatnonzero(first == (kind or NO_RUN))
        if not len(at):
            continue
        mine, who, chips = rows[at], inside[at], put[at]
        now = outcome(dealt, Point(0, mine, 0, size, who, chips, run), unseen=True)
        start = run if street > 1 else NO_RUN
        before = outcome(dealt, Point(0, mine, 0, sizes[street - 1], who, chips, start))
        after = now if street > 1 else outcome(dealt, Point(0, mine, 0, size, who, chips))
        yield _columns(dealt, street, 0, mine, who, now, chips, before.value, after.value, done[at])


def _deal_rows(dealt: Dealt) -> Columns:
    """Blotto, Toss: the value of a deal is the mean equity of each pair of its cards against two unseen cards.

    How the cards are used is the players' choice. The difference between two players is symmetric around 0.
    """
    rows = np.flatnonzero(dealt.present.all(axis=1) & dealt.sound.any(axis=0))
    cards = dealt.dealt_to[rows]
    width = cards.shape[2]
    pairs = [(a, b) for a in range(width) for b in range(a + 1, width)]
    mean = np.zeros((len(rows), 2))
    for pair in pairs:
        two = cards[:, :, pair].reshape(-1, 2)
        mean += preflop.against_unseen(two).reshape(-1, 2) / len(pairs) if len(two) else 0.0
    unit = np.repeat(dealt.unit[rows][:, None], 2, axis=1) * len(dealt.board)
    value = unit * (mean - mean[:, ::-1])
    nothing = np.full(value.shape, np.nan)
    blank = Outcome(nothing, nothing, nothing)
    inside = np.ones(value.shape, np.bool_)
    never = np.zeros(len(rows), np.bool_)
    return _columns(dealt, 0, -1, rows, inside, blank, unit, np.zeros(value.shape), value, never)


def _columns(
    dealt: Dealt,
    street: int,
    board: int,
    rows: NDArray[np.int64],
    inside: NDArray[np.bool_],
    now: Outcome,
    put: NDArray[np.float64],
    before: NDArray[np.float64],
    after: NDArray[np.float64],
    done: NDArray[np.bool_],
) -> Columns:
    """Rows of the seats inside; a folded player has one if its own chips no longer depend on the cards."""
    at, seat = np.nonzero(inside)
    number = 0 if len(dealt.board) == 1 else board + 1
    known = np.isfinite(before[at, seat]) & np.isfinite(after[at, seat])
    # Zero gains may be -0.0.
    return {
        "row": rows[at],
        "street": np.full(len(at), street, np.int8),
        "board_no": np.full(len(at), number, np.int8),
        "seat": seat.astype(np.int8),
        "equity_own": now.unseen[at, seat],
        "equity_actual": now.share[at, seat],
        "stake": put[at, seat],
        "value_before": np.where(known, before[at, seat], np.nan) + 0.0,
        "value": np.where(known, after[at, seat], np.nan) + 0.0,
        "all_in": done[at],
    }
