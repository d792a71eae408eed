"""The questions of an audit: the views of sql/audit, and tests of the dealer (`dealer`).

Every answer ends with the columns match_id and hand_index, a hand that shows what the row says (null where there is
none), and concern: true where an auditor should look, since neither a known engine nor a damaged line nor an
stated reuse of cards explains it.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

from .settings import Kind
from .store import Store
from .views import queries


class Audited(NamedTuple):
    """Rows and the names of their columns."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]

    @property
    def concerns(self) -> int:
        """Rows that an auditor should check."""
        return sum(bool(row[-1]) for row in self.rows)


def _asked(name: str) -> Callable[[Store, Sequence[int]], Audited]:
    def ask(store: Store, matches: Sequence[int]) -> Audited:
        query = queries("audit")[name]
        relation = store.sql(query, ids=list(matches)) if "$ids" in query else store.sql(query)
        return Audited(tuple(relation.columns), relation.fetchall())

    return ask


def faults(store: Store, matches: Sequence[int]) -> Audited:
    """Faults of each player by blocks of hands: over all matches of the store, or for some matches one by one."""
    ((held,),) = store.execute("select count(*) from stored.matches").fetchall()
    return _asked("faults_of_matches" if len(matches) < held else "faults")(store, matches)


def balance(store: Store, matches: Sequence[int]) -> Audited:
    """Whether dealers are fair: a row for each `dealer.DealerTest`."""
    from . import dealer

    return Audited(dealer.DealerTest._fields, [*dealer.tests(store, matches)])


KINDS: Final[dict[str, Callable[[Store, Sequence[int]], Audited]]] = {
    kind: _asked(kind) for kind in Kind if kind is not Kind.INFORMATION
} | {
    Kind.BALANCE: balance,
    Kind.FAULTS: faults,
}
"""The query of each kind; it takes the matches, except for standings, which cover all.

`information` is no query: see `analytics.information`.
"""

WHOLE: Final = frozenset({Kind.STANDINGS})
"""Kinds that cover all matches of the store."""
