"""What the size of a player's bets says of the hand behind them, and whether habits change within a match."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from ...analytics.settings import FEW
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
# Both sides of the likeliest change of some (match, seat, statistic): counts and Wilson's interval, over clusters.
_SIDES: Final = """
    select match_id, seat, statistic, after, sum(n)::bigint as n,
        rate_low(sum(k), sum(n), spread_of(n, k, drawn)) as low,
        rate_high(sum(k), sum(n), spread_of(n, k, drawn)) as high
    from (
        select c.match_id, c.seat, c.statistic, c.hand_index >= w.cut as after, sum(c.opportunities) as n,
            sum(c.successes) as k, coalesce(r.hand_no, f.hand_no + c.hand_index) as number,
            cluster_of(f.cluster, f.cluster_hands, c.hand_index, number) as drawn,
            coalesce(drawn, c.hand_index) as unit
        from chances_before_lock c join match_starts f using (match_id)
        left join renumbered r using (match_id, hand_index)
        join (select unnest($matches) as match_id, unnest($seats) as seat, unnest($statistics) as statistic,
            unnest($cuts) as cut) w using (match_id, seat, statistic)
        group by all
    ) group by match_id, seat, statistic, after
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


def _sides(store: "Store", rows: Sequence[Row]) -> dict[tuple[Any, ...], Row]:
    """Rows of `_SIDES` by match_id, seat, statistic and whether it is the side after the change."""
    cut = [row for row in rows if row["change_hand"] is not None]
    asked = {
        "matches": [row["match_id"] for row in cut],
        "seats": [row["seat"] for row in cut],
        "statistics": [row["statistic"] for row in cut],
        "cuts": [row["change_hand"] for row in cut],
    }
    found = rows_of(store, _SIDES, **asked) if cut else []
    return {(row["match_id"], row["seat"], row["statistic"], row["after"]): row for row in found}


def changes(store: "Store", matches: Sequence[MatchName]) -> list[Row] | None:
    """Rows of `steadiness.drift` with the label of the statistic, the least p first; None of too many matches.

    before_side, after_side: n and the ends of Wilson's interval of `before` and `after`, None where there is no cut.
    """
    if len(matches) > _SHUFFLED_MOST:
        return None
    from ...analytics.steadiness import drift

    labels = dict(store.sql("select statistic, label from statistics").fetchall())
    seats = store.sql("select match_id, seat, namesake_seat from players").fetchall()
    named = {(match, seat): namesake for match, seat, namesake in seats}
    known = set(ids(matches))
    found = [row for row in drift(store).iter_rows(named=True) if row["match_id"] in known]
    sides = _sides(store, found)
    rows = []
    for row in found:
        key = (row["match_id"], row["seat"], row["statistic"])
        more = {"before_side": sides.get((*key, False)), "after_side": sides.get((*key, True))}
        rows.append(row | more | {"seat": named[key[:2]], "label": labels[row["statistic"]]})
    return sorted(rows, key=lambda row: (row["change_p"], row["p"], row["match_id"]))
