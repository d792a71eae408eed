"""Logs read by the code of `railbird ingest` up to the tables, which stay in memory: nothing is written or committed.

It opens, cuts, detects, scans, replays and accounts as an ingest does; each match is new, whatever other logs hold.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from railbird.ingest import Run, Wishes
from railbird.parsers.sources import sources
from railbird.storage.filling import Filler
from railbird.storage.index import Claims, Index, StoredMatch
from railbird.storage.ledger import Account
from railbird.storage.locations import place_of
from railbird.storage.manifest import Batch
from railbird.storage.publishing import Summary
from railbird.storage.writer import BatchWriter


class Hand(NamedTuple):
    """A stored hand: what is compared of it, and its verdict, which may rightly depend on the whole match.

    paid: somebody's result is known; where no rules fit the match's hands, nobody knows whether one of them has ended.
    """

    number: int
    line: int
    match: int
    played: str
    verdict: str
    game: str
    paid: bool


@dataclass
class Read:
    """What became of some logs, by path: their accounts, hands in the order of lines; matches with hands by file id."""

    accounts: dict[str, Account] = field(default_factory=dict)
    hands: dict[str, list[Hand]] = field(default_factory=dict)
    seats: dict[str, int] = field(default_factory=dict)
    rules: dict[str, set[str]] = field(default_factory=dict)
    matches: dict[str, list[tuple[int, int]]] = field(default_factory=dict)


class _Kept(BatchWriter):
    """Keeps tables."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.tables = defaultdict[str, list[pa.Table]](list)

    def add(self, table: str, rows: pa.Table, kind: str = "") -> None:
        """As for any batch."""
        if rows.num_rows:
            self.tables[table].append(rows)

    def close(self) -> Batch | None:
        """No batch was written."""
        return None

    def rows(self, table: str, *names: str) -> Iterable[tuple[Any, ...]]:
        """Rows of some columns."""
        for some in self.tables[table]:
            yield from zip(*(some[name].to_pylist() for name in names), strict=True)


class _Claims(Claims):
    """Nothing is an older version of another log: each of them is read by itself."""

    def _shorter(self, match: StoredMatch, text: memoryview, by_lines: bool) -> list[StoredMatch]:
        return []


class _Run(Run):
    def publish(self, more: bool = False) -> None:
        """Nothing to commit."""


class Reader:
    """Reads logs, one group after the other, with the arrays of the group before."""

    def __init__(self, folder: Path) -> None:
        """folder: an empty one, that stays so."""
        self._folder = folder
        self._filler: Filler | None = None

    def read(self, paths: Sequence[Path]) -> Read:
        """What becomes of some logs, each in a folder of its own."""
        root = place_of(self._folder)
        summary = Summary(root)
        run = _Run(root, self._folder, summary, _wishes(), 1)
        kept, claims = _Kept(self._folder), _Claims(Index())
        if self._filler is None:
            self._filler = Filler(root, kept, claims, run.wishes.choice)
        self._filler.writer, self._filler.claims = kept, claims
        run.idle.append(self._filler)
        run.read(list(sources(paths, summary.complaints.append)))
        return _read(summary, kept)


def _wishes() -> Wishes:
    return Wishes.of(None, None, None, None, None, None)


def _read(summary: Summary, kept: _Kept) -> Read:
    """What is asked of the tables, by the paths of logs."""
    found = Read({account.path: account for account in summary.files})
    path_of = {account.file_id: account.path for account in summary.files}
    file_of: dict[int, str] = {}
    for match_id, file_id, count in kept.rows("matches", "match_id", "file_id", "hands"):
        file_of[match_id] = path_of[file_id]
        found.matches.setdefault(path_of[file_id], []).append((match_id, count))
    played = defaultdict[tuple[int, int], list[str]](list)
    paid: set[tuple[int, int]] = set()
    for match_id, index, *row in kept.rows(
        "seats", "match_id", "hand_index", "seat", "player", "hole", "delta"
    ):
        played[match_id, index].append(repr(row))
        if row[-1] is not None:
            paid.add((match_id, index))
        path = file_of[match_id]
        found.seats[path] = found.seats.get(path, 0) + 1
    for match_id, index, number, line, board, players, verdict, game in kept.rows(
        "hands", "match_id", "hand_index", "hand_no", "line", "board", "n_players", "verdict", "game"
    ):
        rows = played[match_id, index]
        told = (
            " ".join([*map(str, board), *rows]) if len(rows) == players else f"{len(rows)} of {players} rows"
        )
        found.hands.setdefault(file_of[match_id], []).append(
            Hand(number, line, match_id, told, verdict, game, (match_id, index) in paid)
        )
    for match_id, rule, verdict in kept.rows("findings", "match_id", "rule", "verdict"):
        found.rules.setdefault(file_of[match_id], set()).add(f"{rule} {verdict}")
    for hands in found.hands.values():
        hands.sort(key=lambda hand: hand.line)
    return found
