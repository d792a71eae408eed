"""The windows of replayed matches put together."""

import numpy as np
import pyarrow as pa

from railbird.replay.outcome import Tables, Windows


def whole(rows: Windows) -> Tables:
    """All rows of each table, and for each the match's place."""
    found: dict[str, list[tuple[pa.Table, np.ndarray]]] = {}
    for window in rows.windows():
        for name, (table, match_of) in window.items():
            # Tables point into the pool, until the next ones are made.
            kept = table.take(pa.array(np.arange(table.num_rows)))
            found.setdefault(name, []).append((kept, match_of.copy()))
    return {
        name: (
            pa.concat_tables([table for table, _ in some]).unify_dictionaries().combine_chunks(),
            np.concatenate([match_of for _, match_of in some]),
        )
        for name, some in found.items()
    }
