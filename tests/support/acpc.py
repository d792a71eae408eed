"""ACPC logs read and replayed in memory, as rows that tests compare."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pyarrow as pa

from railbird.analytics.store import open_store
from railbird.parsers import acpc
from railbird.parsers.acpc_game import Definition, base_name, parse_definition
from railbird.parsers.acpc_sidecars import Beside, read_complaints
from railbird.parsers.reading import Pool, read_events
from railbird.parsers.sidecar_names import stem
from railbird.replay.acpc.chunk import replay_acpc
from railbird.replay.acpc.definitions import GAME, acpc_game
from railbird.replay.outcome import LINE_STRAY, LINE_UNKNOWN, MatchInfo, Outcome
from railbird.schema.columns import schema
from railbird.storage.locations import place_of
from railbird.storage.manifest import commit, staging
from railbird.storage.writer import BatchWriter
from support.replayed import joined_windows
from support.stores import with_contributions

FILE_ID = 9
_POOL = Pool()

_ACTIONS = "select * from actions order by match_id, hand_index, seq"


@dataclass
class Checked:
    """What reading a text yields: outcomes and names by match, the rows of every table, lines from 1."""

    outcomes: list[Outcome]
    names: list[tuple[str, ...]]
    tables: dict[str, Any]
    unknown: list[int]
    stray: list[int]

    def rows(self, table: str) -> list[dict[str, Any]]:
        """As they lie on disk, but for contributions that follow from results."""
        found: list[dict[str, Any]] = self.tables[table].to_pylist()
        return with_contributions(found) if table == "seats" else found

    def actions(self) -> list[dict[str, Any]]:
        """The relation, in its order."""
        matches = [
            {"match_id": k, "players": list(names), "hands": outcome.hands, **outcome.columns}
            for k, (names, outcome) in enumerate(zip(self.names, self.outcomes, strict=True), 1)
        ]
        listed = pa.Table.from_pylist([{"file_id": FILE_ID, **match} for match in matches], schema("matches"))
        with TemporaryDirectory() as folder:
            place = place_of(folder)
            with staging(place) as stage:
                writer = BatchWriter(stage)
                for name, table in {**self.tables, "matches": listed}.items():
                    writer.add(name, table)
                batch = writer.close()
                assert batch is not None
                commit(place, [(stage, batch)])
            with open_store(folder) as store:
                found: list[dict[str, Any]] = store.sql(_ACTIONS).pl().to_dicts()
                return found

    @property
    def verdicts(self) -> Counter[str]:
        return Counter(self.tables["hands"]["verdict"].to_pylist())

    @property
    def rules(self) -> Counter[str]:
        return Counter(self.tables["findings"]["rule"].to_pylist())

    @property
    def hands(self) -> int:
        return sum(outcome.hands for outcome in self.outcomes)

    @property
    def rejected(self) -> list[str]:
        return [hand.reason for outcome in self.outcomes for hand in outcome.rejected]

    @property
    def is_clean(self) -> bool:
        others = self.unknown or self.stray or self.rejected or self.rules
        return not others and set(self.verdicts) <= {"ok"}


def check(
    text: bytes, definitions: Sequence[Definition] = (), errors: Iterable[bytes] = (), game: str = GAME.name
) -> Checked:
    """Cut, scan and replay a text; nameless matches are left out."""
    beside = Beside(tuple(definitions), tuple(read_complaints(BytesIO(b"".join(errors)), 1)))
    cut = [m for m in acpc.cut(text) if m.names]
    matches = [replace(m, beside=beside) for m in cut if isinstance(m, acpc.AcpcMatch)]
    if not matches:
        return Checked([], [], {}, [], [])
    scanned = read_events(np.frombuffer(text, np.uint8), matches, acpc.GRAMMAR, _POOL)
    replayed = replay_acpc(scanned, matches, acpc_game(game) if game != GAME.name else GAME, _POOL)
    names = [tuple(name.decode("utf-8", "backslashreplace") for name in match.names) for match in matches]
    bases = [text.count(b"\n", 0, match.body) for match in matches]
    infos = [MatchInfo(k + 1, FILE_ID, names[k], bases[k]) for k in range(len(matches))]
    outcomes = [replayed.outcome(place) for place in range(len(matches))]
    tables = {name: table for name, (table, _) in joined_windows(replayed.tables(scanned, infos)).items()}
    unknown, stray = [], []
    for place, base in enumerate(bases):
        for k in range(int(scanned.first_event[place]), int(scanned.first_event[place + 1])):
            note, line = replayed.notes[k], base + int(scanned.events.lines[k])
            unknown += [line] if note == LINE_UNKNOWN else []
            stray += [line] if note == LINE_STRAY else []
    return Checked(outcomes, names, tables, unknown, stray)


def definitions_beside(path: Path) -> tuple[Definition, ...]:
    return tuple(
        parse_definition(found.read_text(), base_name(found.name))
        for found in sorted(path.parent.glob("*.game"))
    )


def check_file(path: Path) -> Checked:
    """A log with what lies beside it."""
    errors = [
        line
        for other in sorted(path.parent.iterdir())
        if other.name.endswith((".err", ".actions.log")) and stem(other.name) == stem(path.name)
        for line in other.read_bytes().splitlines(keepends=True)
    ]
    return check(path.read_bytes(), definitions_beside(path), errors)
