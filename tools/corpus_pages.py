"""The pages about a corpus: docs/corpus.md, docs/what-we-found.md and the counts of docs/rules-and-deviations.md.

`python -m railbird.tools.corpus_pages STORE` writes them; STORE is an ingest of the whole corpus (`make found
CORPUS=FOLDER` makes it). The pages give sums only and name no player, team or bot.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ..analytics import dealer
from ..analytics.intervals import wilson
from ..analytics.store import Store, open_store
from ..analytics.views import queries
from ..variants.registry import GAMES
from .schema_doc import PAGES, between, table


def _queries() -> Mapping[str, str]:
    return queries(Path(__file__).parent / "queries")


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


def _name_kinds(store: Store) -> None:
    """Make `kinds`: each deviation of a game and its kind. A finding that it explains may be of another kind."""
    kinds = sorted({(each.name, each.kind) for game in GAMES for each in game.deviations})
    rows = ", ".join(f"('{name}', '{kind}')" for name, kind in kinds)
    store.sql(f"create or replace temp view kinds as from (values {rows}) as t(deviation, kind)")


def coverage(store: Store) -> str:
    """The text of docs/corpus.md."""
    _name_kinds(store)
    filled = {}
    for name, query in (("coverage", "select * from coverage"), ("deviations", _queries()["deviation_sums"])):
        found = store.sql(query)
        names = [column.replace("_", " ") for column in found.columns]
        filled[name] = table(names, ([*map(_text, row)] for row in found.fetchall()))
    return (PAGES / "corpus.template").read_text(encoding="utf-8").format(**filled)


DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
PAGE: Final = "what-we-found.md"
COUNTS: Final = "rules-and-deviations.md"
BEGIN: Final = "<!-- Counts: written by `python -m railbird.tools.corpus_pages STORE`. -->"
END: Final = "<!-- End of the counts. -->"


def _number(value: Any) -> str:
    if value is None:
        return ""
    whole = abs(value - round(value)) < 0.005
    return f"{value:,.0f}" if whole else f"{value:,.2f}"


def _share(k: int, n: int, counted: bool = False) -> str:
    """A share with its Wilson interval at 95%, as percentages; counted: with k before it."""
    low, high = wilson(k / n, n)
    count = f"{_number(k)}: " if counted else ""
    return f"{count}{100 * k / n:.2f}% ({100 * low:.2f} to {100 * high:.2f})"


def _cell(value: Any) -> str:
    """A value of a query: a list [k, n] is written k of n; a struct has the arguments of `_share`."""
    if isinstance(value, dict):
        return _share(**value)
    if isinstance(value, list):
        return " of ".join(map(_number, value))
    return value if isinstance(value, str) else _number(value)


def _table(store: Store, name: str) -> str:
    """A query as a table; its columns are named as the headings."""
    found = store.sql(_queries()[name])
    return table(found.columns, ([*map(_cell, row)] for row in found.fetchall()))


def _answer(store: Store) -> str:
    """What the page says first: how often engines paid otherwise than written, and what it changed."""
    found = store.sql(_queries()["pay"])
    names = found.columns
    rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    hands, otherwise = (sum(row[name] for row in rows) for name in ("n hands", "otherwise"))
    (touched, matches), (changed, _) = (
        map(sum, zip(*(row[name] for row in rows), strict=True)) for name in ("matches", "other winner")
    )
    ((violations,),) = store.execute("select count(*) from hands where verdict = 'violation'").fetchall()
    return (
        f"Engines paid {_number(otherwise)} of {_number(hands)} undamaged hands otherwise than their written rules: "
        f"{_share(otherwise, hands)}.\nThis moved chips in {_number(touched)} of {_number(matches)} matches and "
        f"changed the winner of {_number(changed)}.\nHands that no known engine explains: {_number(violations)}."
    )


def _cards(store: Store) -> str:
    matches = [row[0] for row in store.execute("select match_id from matches").fetchall()]
    uneven: dict[str, tuple[int, int]] = {}
    for test in dealer.tests(store, matches, gains=False):
        if test.is_of_match:
            flagged, asked = uneven.get(test.game, (0, 0))
            uneven[test.game] = (flagged + test.concern, asked + 1)
    shared = {row[0]: row[1:] for row in store.execute(_queries()["cards"]).fetchall()}
    rows = [
        (name, *map(_number, shared.get(name, (0, 0, 0, 0))), "{} of {}".format(*uneven.get(name, (0, 0))))
        for name in sorted(shared.keys() | uneven.keys())
    ]
    return table(("game", "duplicate", "seed", "series", "no stated reason", "uneven matches"), rows)


def _unannounced(store: Store) -> str:
    rows = store.execute(_queries()["unannounced"]).fetchall()
    if not rows:
        return "No cards were dealt again without a stated reason."
    return "\n".join(
        f"- {game}: pairs of matches that share cards: {_number(pairs)}, in pairs of files: {_number(files)}"
        + (", none within one file: runs of the engine that were started with one seed." if apart else ".")
        for game, pairs, files, apart in rows
    )


def page(store: Store) -> str:
    """The text of docs/what-we-found.md."""
    _name_kinds(store)
    store.sql(_queries()["sources"])
    files, hands = store.execute("select count(distinct file_id), sum(hands) from matches").fetchall()[0]
    text = (PAGES / "what-we-found.template").read_text(encoding="utf-8")
    tables = {name: _table(store, name) for name in ("pay", "worth", "faults", "wrong")}
    return text.format(
        files=_number(files),
        hands=_number(hands),
        answer=_answer(store),
        cards=_cards(store),
        unannounced=_unannounced(store),
        **tables,
    )


def counts(store: Store) -> str:
    """The table of docs/rules-and-deviations.md: each deviation's findings, hands and chips moved."""
    _name_kinds(store)
    return _table(store, "counts")


def main(arguments: list[str], docs: Path = DOCS) -> int:
    """Write the pages from the named store."""
    if len(arguments) != 1:
        print("usage: python -m railbird.tools.corpus_pages STORE", file=sys.stderr)
        return 2
    with open_store(arguments[0]) as store:
        (docs / "corpus.md").write_text(coverage(store), encoding="utf-8")
        (docs / PAGE).write_text(page(store), encoding="utf-8")
        text = (docs / COUNTS).read_text(encoding="utf-8")
        (docs / COUNTS).write_text(between(text, BEGIN, END, counts(store)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
