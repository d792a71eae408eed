"""What the size of a player's bets says of the hand behind them, and whether habits change within a match."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from ...analytics.thresholds import FEW
from ...analytics.views import over_matches
from ..answers import MatchName, ids, rows_of
from .rows import Row

if TYPE_CHECKING:
    from ...analytics.store import Store

_BY_SIZE: Final = """
    select *, street_name(street, game) as street_name from bets_by_size where bets > 0 order by street, size
"""
_TELLS: Final = "select * from size_tells"

_HALVES: Final = f"""
    select h.*, s.label from ({over_matches("halves")}) as h join statistics as s using (statistic) order by s.place
"""
_SHUFFLED_MOST: Final = 60
"""Matches of a report up to which each match's change is looked for by shuffling, which takes long."""
SHOWN_CHANGES: Final = 10
RANKED_MOST: Final = 200
"""Matches of a report up to which bets are ranked by size for `size_tells`; more do not fit into its memory."""


def by_size(store: "Store", matches: Sequence[MatchName]) -> list[Row]:
    """Rows of `bets_by_size`, each with the `size_tells` of its street.

    matches  all of the store; of more than `RANKED_MOST` no `size_tells`
    """
    ranked = rows_of(store, _TELLS) if len(matches) <= RANKED_MOST else []
    tells = {street_of(row): row for row in ranked}
    return [row | {"tell": tells.get(street_of(row))} for row in rows_of(store, _BY_SIZE)]


def street_of(row: Row) -> tuple[Any, ...]:
    """Whose bets, and on which street."""
    return tuple(row[key] for key in ("event", "game", "player", "seat", "street"))


def halves(store: "Store", matches: Sequence[MatchName]) -> list[Row]:
    """Rows of `halves` over some matches with the label of the statistic; no interval where n1 or n2 is below FEW."""
    rows = rows_of(store, _HALVES, ids=ids(matches))
    return [row if min(row["n1"], row["n2"]) >= FEW else row | {"low": None, "high": None} for row in rows]


def changes(store: "Store", matches: Sequence[MatchName]) -> list[Row] | None:
    """Rows of `analytics.drift` with the label of the statistic, the least p first; None of too many matches."""
    if len(matches) > _SHUFFLED_MOST:
        return None
    from ...analytics.drift import drift

    labels = dict(store.sql("select statistic, label from statistics").fetchall())
    seats = store.sql("select match_id, seat, namesake_seat from players").fetchall()
    named = {(match, seat): namesake for match, seat, namesake in seats}
    known = set(ids(matches))
    rows = [
        row | {"seat": named[row["match_id"], row["seat"]], "label": labels[row["statistic"]]}
        for row in drift(store).iter_rows(named=True)
        if row["match_id"] in known
    ]
    return sorted(rows, key=lambda row: (row["change_p"], row["p"], row["match_id"]))
