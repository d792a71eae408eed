"""Koper logs cut, scanned, replayed and put into tables, as plain Python objects."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from railbird.parsers import dialects
from railbird.parsers.chunks import Piece
from railbird.parsers.koper import Results, read_console, with_results
from railbird.parsers.reading import Pool, read_events
from railbird.replay.koper.chunk import replay_koper
from railbird.replay.outcome import LINE_REJECTED, LINE_STRAY, LINE_UNKNOWN, MatchInfo, Outcome
from railbird.variants.koper import GAME
from support.replayed import joined_windows
from support.stores import with_contributions

_POOL = Pool()
Rows = list[dict[str, Any]]


@dataclass
class Replay:
    """What a log yields; rows have the columns of the store and `match` from 0, seats `hand_no` as well.

    tables: the rows, and the match of each. They become Python objects when they are asked for.
    """

    outcomes: list[Outcome]
    tables: dict[str, tuple[pa.Table, np.ndarray[Any, Any]]]
    unknown: int
    stray: int
    rejected: int

    def _rows(self, name: str) -> Rows:
        table, match_of = self.tables[name]
        return [{"match": m, **row} for m, row in zip(match_of.tolist(), table.to_pylist(), strict=True)]

    @cached_property
    def hands(self) -> Rows:
        return self._rows("hands")

    @cached_property
    def seats(self) -> Rows:
        numbers = {(row["match"], row["hand_index"]): row["hand_no"] for row in self.hands}
        found = with_contributions(self._rows("seats"))
        for row in found:
            row["hand_no"] = numbers[row["match"], row["hand_index"]]
        return found

    @cached_property
    def actions(self) -> Rows:
        return self._rows("actions")

    @cached_property
    def findings(self) -> Rows:
        return self._rows("findings")

    @property
    def wrong(self) -> Rows:
        """Findings that no named deviation explains."""
        return [row for row in self.findings if row["verdict"] != "engine_deviation"]

    @property
    def is_clean(self) -> bool:
        """True where nothing is wrong but named deviations, and every line is read."""
        return not (self.wrong or self.unknown or self.stray or self.rejected)

    @property
    def deviating(self) -> list[tuple[int, int, str]]:
        """The named deviations: match, hand, name."""
        return [
            (row["match"], row["hand_index"], row["deviation"])
            for row in self.findings
            if row["verdict"] == "engine_deviation"
        ]


def replay_text(text: bytes, results: Results | None = None) -> Replay:
    """Replay a text; results are what the console beside it says."""
    dialect = dialects.likely(text, 0, len(text))[0]
    piece = with_results(Piece(text, 0, 0, tuple(dialect.cut(text))), results or {})
    matches = [match for match in piece.matches if match.names]
    scanned = read_events(np.frombuffer(text, np.uint8), matches, dialect.grammar, _POOL)
    done = replay_koper(scanned, matches, GAME, _POOL)
    infos = [
        MatchInfo(k, 0, tuple(name.decode() for name in m.names), text.count(b"\n", 0, m.body))
        for k, m in enumerate(matches)
    ]
    notes = done.notes[: int(scanned.first_event[-1])].tolist()
    return Replay(
        [done.outcome(k) for k in range(len(matches))],
        joined_windows(done.tables(scanned, infos)),
        notes.count(LINE_UNKNOWN) + sum(not match.names for match in piece.matches),
        notes.count(LINE_STRAY),
        notes.count(LINE_REJECTED),
    )


def console_of(log: Path) -> Results:
    """What the console beside a v2 log says; nothing for other logs."""
    beside = log.with_name(log.name.replace(".all_games.", ".stdout."))
    return read_console(beside.read_bytes()) if beside != log and beside.exists() else {}


def replay_file(log: Path) -> Replay:
    """Replay a log with the console beside it."""
    return replay_text(log.read_bytes(), console_of(log))
