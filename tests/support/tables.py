"""Tables of standings made by hand."""

from itertools import combinations
from typing import Final

import numpy as np

from railbird.analytics.rankings import Floats, Stratum, Table

NAMES: Final = ("Ann", "Bob", "Cid", "Dot", "Eve", "Fay")


def table_of(size: int, lineups: list[tuple[int, ...]], units: list[Floats]) -> Table:
    """A table whose lineups have units (U, K) of their own; players stay in the order of their numbers."""
    members = np.array(lineups)
    chips = np.stack([values.sum(axis=0) for values in units])
    strata = [
        Stratum(np.array([k]), values[:, None], np.ones((len(values), 1), np.bool_))
        for k, values in enumerate(units)
    ]
    players = [(name, None) for name in NAMES[:size]]
    return Table(
        "cup",
        "poker",
        players,
        members,
        chips,
        chips,
        np.full(len(lineups), 10),
        np.full(members.shape, 10),
        strata,
    )


def pairs_of(size: int, won: list[list[float]]) -> Table:
    """A heads-up table: of each pair what the first player won in each unit."""
    lineups: list[tuple[int, ...]] = list(combinations(range(size), 2))
    return table_of(size, lineups, [np.array([[x, -x] for x in values]) for values in won])
