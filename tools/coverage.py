"""The page of what a corpus holds and what replay says of it.

`python -m railbird.tools.coverage STORE > docs/corpus.md`
"""

import sys
from typing import Final

from ..analytics.store import open_store
from .pages import table

_PAGE: Final = """\
# The corpus, game by game

<!-- Written by `python -m railbird.tools.coverage STORE`; STORE is an ingest of the corpus. -->

What railbird read in logs written by the engines and published by teams, and the verdict of every hand. The columns
are those of the view `coverage`. The ledger lists `left out` hands and unknown lines, each with its reason.

{coverage}

## Deviations

What engines did against the written rules ([rules and deviations](rules-and-deviations.md)). `hands` counts a hand
once for each deviation in it. `chips` went to another player than the rules say, or were lost.

{deviations}
"""

_DEVIATIONS: Final = """
    select x.deviation, x.kind, count(*) as findings, count(distinct (x.match_id, x.hand_index)) as hands,
        round(coalesce(any_value(w.moved), 0), 2) as chips
    from findings as x
    left join (
      select deviation, sum(moved) as moved
      from (select match_id, deviation, any_value(moved) as moved from who_gained group by all)
      group by deviation
    ) as w on w.deviation = x.deviation
    where x.verdict = 'engine_deviation'
    group by x.deviation, x.kind
    order by x.deviation
"""


def _table(names: list[str], rows: list[tuple[object, ...]]) -> str:
    return table(names, ([_text(value) for value in row] for row in rows))


def _text(value: object) -> str:
    if value is None:
        return ""
    return (
        f"{value:,}"
        if isinstance(value, int)
        else f"{value:,.2f}"
        if isinstance(value, float)
        else str(value)
    )


def page(path: str) -> str:
    """The page of a store, as Markdown."""
    with open_store(path) as store:
        coverage, deviations = store.sql("select * from coverage"), store.sql(_DEVIATIONS)
        return _PAGE.format(
            coverage=_table([name.replace("_", " ") for name in coverage.columns], coverage.fetchall()),
            deviations=_table(list(deviations.columns), deviations.fetchall()),
        )


def main(arguments: list[str]) -> int:
    """Write the page of the store named to standard output."""
    if len(arguments) != 1:
        print("usage: python -m railbird.tools.coverage STORE", file=sys.stderr)
        return 2
    sys.stdout.write(page(arguments[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
