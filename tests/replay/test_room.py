"""No kernel writes where it has no room: a table that is too small is an error with its name."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import DTypeLike, NDArray

from railbird.jit.interpreted import interpret_small
from railbird.parsers.dialects import cut_for, likely
from railbird.parsers.reading import Pool, read_events
from railbird.replay.records import RoomError
from railbird.replay.replaying import game_named, replay

LOGS = {
    "bounty": (
        "bounty/2025-01-30.txt",
        ("hands", "actions", "findings", "board", "holes", "card_lines"),
    ),
    "toss": ("toss/faults.txt", ("actions", "faults", "changes", "changed", "finals")),
    "blotto": (
        "blotto/2021-01-27.txt",
        ("actions", "limits", "holes", "card_lines", "pots", "pot_cards", "pot_holes"),
    ),
    "acpc": ("acpc/Heron.Otter.0.log", ("hands", "seats", "actions", "board", "holes", "undealt")),
    "koper": (
        "koper/v1-folds.txt",
        ("findings", "hands", "seats", "prizes", "actions", "limits", "board", "holes", "card_lines"),
    ),
}


class Narrow(Pool):
    """A pool that has room for two rows of one table."""

    def __init__(self, table: str) -> None:
        super().__init__()
        self.table = table

    def take(self, name: str, size: int, dtype: DTypeLike) -> NDArray[Any]:
        rows = super().take(name, size, dtype)
        return rows[:2] if name == self.table else rows


@pytest.mark.parametrize(
    ("game", "table"), [(game, table) for game, (_, some) in LOGS.items() for table in some]
)
def test_a_table_without_room_is_an_error(game: str, table: str, sample_logs: Path) -> None:
    text = (sample_logs / LOGS[game][0]).read_bytes()
    with interpret_small(1):
        found = cut_for(text)
        assert found is not None
        match = found[1][0]
        dialect = likely(text, match.start, match.end, match.names, match.engine)[0]
        scanned = read_events(np.frombuffer(text, np.uint8), [match], dialect.grammar, Pool())
        with pytest.raises(RoomError, match=f"no room for as many rows of .*{table.split()[-1]}"):
            replay(scanned, [match], game_named(dialect.game), Narrow(table))
