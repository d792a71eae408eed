"""The pages about a corpus: docs/corpus.md, docs/what-we-found.md and the counts of docs/rules-and-deviations.md.

`python -m railbird.tools.corpus_pages STORE` writes them; STORE is an ingest of the whole corpus (`make found
CORPUS=FOLDER` makes it). The pages give sums only and name no player, team or bot.
"""

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ..analytics.audit import balance
from ..analytics.intervals import wilson
from ..analytics.store import Store, open_store
from ..analytics.views import queries
from .schema_doc import between, table

_CORPUS: Final = """\
# The corpus, game by game

<!-- Written by `python -m railbird.tools.corpus_pages STORE`; STORE is an ingest of the corpus. -->

What railbird read in logs written by the engines and published by teams, and the verdict of every hand. The columns
are those of the view `coverage`. The ledger lists `left out` hands and unknown lines, each with its reason.

{coverage}

## Deviations

What engines did against the written rules ([rules and deviations](rules-and-deviations.md)). `hands` counts a hand
once for each deviation in it. `chips` went to another player than the rules say, or were lost.

{deviations}
"""


def _queries() -> Mapping[str, str]:
    return queries(Path(__file__).parent / "queries")


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


def coverage(store: Store) -> str:
    """The text of docs/corpus.md."""
    games, deviations = store.sql("select * from coverage"), store.sql(_queries()["deviation_sums"])
    return _CORPUS.format(
        coverage=_table([name.replace("_", " ") for name in games.columns], games.fetchall()),
        deviations=_table(list(deviations.columns), deviations.fetchall()),
    )


DOCS: Final = Path(__file__).resolve().parent.parent / "docs"
PAGE: Final = "what-we-found.md"
COUNTS: Final = "rules-and-deviations.md"
BEGIN: Final = "<!-- Counts: written by `python -m railbird.tools.corpus_pages STORE`. -->"
END: Final = "<!-- End of the counts. -->"

_TEXT: Final = """\
# What we found

<!-- Written by `python -m railbird.tools.corpus_pages STORE`; STORE is an ingest of the corpus. -->

{files} logs of {hands} hands. railbird replayed every hand through the written rules. *Published* logs are those
that teams put on the web (in folders called `real`). The engines wrote the others with test bots, some of them
faulty, so their shares show what an engine does, not how often it happens in a tournament. Shares have their n and
95% (Wilson) interval. Everything is summed by game: no player, team or bot is named. `railbird audit` shows the
same for any store, hand by hand ([auditing](auditing.md)).

## Paid otherwise than written

`moved` is the chips that went to another player than the written rules say, or were lost: in each hand the larger
of all gains and all losses, in the log's chips. A match's winner is the player who won most; the play of the hands
is taken as it was. `other places` counts the players of the game, over all logs, whose place in the standings of
their event changes.

{pay}

## What each deviation was worth

[Rules and engine deviations](rules-and-deviations.md) says what each does. `dealer` is what all dealers together
gained by it. Where the players' gains do not cancel, the engine lost chips. `largest` is the most that one hand moved.

{worth}

## What bots did wrong

Faults as the engine reported them: an illegal, misformatted or late answer, or a disconnected bot. `n` is hands times
players; `faulty` is how many of them have such a fault; `bots` is how many bots had one, of how many played.

{faults}

## Cards

Pairs of matches that share more hands with the same cards than shuffles do by chance (p < 0.05 over all pairs of
the game), and what announces it: the seatings of a duplicate, one seed in two headers, a series in one file.
`uneven` matches are those whose hole cards a chi-square test finds dealt unevenly (q < 0.05 over all matches; one
in twenty of them is chance).

{cards}

{unannounced}

## Logs that contradict themselves

Hands that no known engine explains (violations), hands whose own lines contradict each other (damaged), and hands
that could not be checked (unverified).

{wrong}
"""


def _number(value: Any) -> str:
    if value is None:
        return ""
    whole = abs(value - round(value)) < 0.005
    return f"{value:,.0f}" if whole else f"{value:,.2f}"


def _share(k: int, n: int) -> str:
    """A share with its Wilson interval at 95%, as percentages."""
    low, high = wilson(k / n, n)
    return f"{100 * k / n:.2f}% ({100 * low:.2f} to {100 * high:.2f})"


def _deviation(names: str) -> str:
    return " + ".join(f"`{name}`" for name in names.split("+"))


def _pay(store: Store) -> str:
    rows = []
    for game, logs, n, k, moved, matches, touched, changed, places, players in store.sql(
        _queries()["pay"]
    ).fetchall():
        paid = (_number(n), _number(k), _share(k, n), _number(moved))
        rows.append(
            (
                game,
                logs,
                *paid,
                f"{touched} of {matches}",
                f"{changed} of {matches}",
                f"{places} of {players}",
            )
        )
    head = (
        "game",
        "logs",
        "n hands",
        "otherwise",
        "share",
        "moved",
        "matches",
        "other winner",
        "other places",
    )
    return table(head, rows)


def _worth(store: Store) -> str:
    rows = [
        (_deviation(row[0]), row[1], *map(_number, row[2:]))
        for row in store.sql(_queries()["worth"]).fetchall()
    ]
    head = (
        "deviation",
        "kind",
        "findings",
        "hands",
        "of published",
        "matches",
        "moved",
        "dealer",
        "left over",
    )
    return table((*head, "largest"), rows)


def _faults(store: Store) -> str:
    rows = [
        (
            game,
            source,
            kind,
            _number(faults),
            _number(n),
            _number(faulty),
            _share(faulty, n),
            f"{bots} of {played}",
        )
        for game, source, kind, faults, n, faulty, bots, played in store.sql(_queries()["faults"]).fetchall()
    ]
    return table(("game", "logs", "fault", "faults", "n", "faulty", "share", "bots"), rows)


def _cards(store: Store) -> str:
    matches = [row[0] for row in store.sql("select match_id from matches").fetchall()]
    dealt = balance(store, matches)
    game = dealt.columns.index("game")
    uneven: dict[str, tuple[int, int]] = {}
    for row in dealt.rows:
        flagged, asked = uneven.get(row[game], (0, 0))
        uneven[row[game]] = (flagged + bool(row[-1]), asked + 1)
    shared = {row[0]: row[1:] for row in store.sql(_queries()["cards"]).fetchall()}
    rows = [
        (name, *map(_number, shared.get(name, (0, 0, 0, 0))), "{} of {}".format(*uneven.get(name, (0, 0))))
        for name in sorted(shared.keys() | uneven.keys())
    ]
    return table(("game", "duplicate", "seed", "series", "nothing announces it", "uneven matches"), rows)


def _unannounced(store: Store) -> str:
    rows = store.sql(_queries()["unannounced"]).fetchall()
    if not rows:
        return "No cards come again that nothing announces."
    return "\n".join(
        f"- {game}: {_number(pairs)} pairs of matches that share cards lie in {_number(files)} pairs of files"
        + (", none within one file: runs of the engine that were started with one seed." if apart else ".")
        for game, pairs, files, apart in rows
    )


def _wrong(store: Store) -> str:
    rows = [
        (
            game,
            source,
            _number(n),
            f"{_number(violation)}: {_share(violation, n)}",
            str(damaged),
            str(unverified),
        )
        for game, source, n, violation, damaged, unverified in store.sql(_queries()["wrong"]).fetchall()
    ]
    return table(("game", "logs", "n hands", "violations", "damaged", "unverified"), rows)


def page(store: Store) -> str:
    """The text of docs/what-we-found.md."""
    store.sql(_queries()["sources"])
    files, hands = store.sql("select count(distinct file_id), sum(hands) from matches").fetchall()[0]
    return _TEXT.format(
        files=_number(files),
        hands=_number(hands),
        pay=_pay(store),
        worth=_worth(store),
        faults=_faults(store),
        cards=_cards(store),
        unannounced=_unannounced(store),
        wrong=_wrong(store),
    )


def counts(store: Store) -> str:
    """The table of docs/rules-and-deviations.md: each deviation's findings, hands and chips moved."""
    rows = [
        (_deviation(name), kind, _number(findings), _number(hands), _number(moved), _number(one_name))
        for name, kind, findings, hands, moved, one_name in store.sql(_queries()["counts"]).fetchall()
    ]
    head = ("deviation", "kind", "findings", "hands", "chips moved", "findings in matches of one name")
    return table(head, rows)


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
