"""The pages about a corpus: docs/corpus.md, docs/what-we-found.md and the counts of docs/rules-and-deviations.md.

`python -m railbird.tools.corpus_pages STORE` writes them; STORE is an ingest of the whole corpus (`make found
CORPUS=FOLDER` makes it). The pages give sums only and name no player, team or bot.
"""

import sys
from pathlib import Path
from typing import Any, Final

from ..analytics.audit import balance
from ..analytics.intervals import wilson
from ..analytics.store import Store, open_store
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

_DEVIATION_SUMS: Final = """
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


def coverage(store: Store) -> str:
    """The text of docs/corpus.md."""
    games, deviations = store.sql("select * from coverage"), store.sql(_DEVIATION_SUMS)
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

_SOURCE: Final = """
    select m.match_id, m.game, if(contains('/' || f.path, '/real/'), 'published', 'engine') as source
    from matches as m join files as f on f.file_id = m.file_id
"""
_PAY: Final = f"""
    with sources as ({_SOURCE}),
    hands_paid as (
      select x.game, x.source, h.match_id, h.hand_index, max(abs(s.written_off)) as off
      from stored.hands as h
      join sources as x on x.match_id = h.match_id
      join stored.seats as s on s.match_id = h.match_id and s.hand_index = h.hand_index
      where h.verdict <> 'damaged'
      group by all
    ),
    paid as (
      select game, source, count(*) as n, count(*) filter (where off > 0.005) as k from hands_paid group by all
    ),
    won as (
      select x.game, x.source, count(*) as matches, sum(w.moved) as moved,
        count(*) filter (where w.moved >= 0.01) as touched, count(*) filter (where w.changes) as changed
      from winners_as_written as w join sources as x on x.match_id = w.match_id group by all
    ),
    places as (
      select game, count(*) as players, count(*) filter (where changes) as changed
      from standings_as_written group by game
    )
    select p.game, p.source, p.n, p.k, w.moved, w.matches, w.touched, w.changed, s.changed, s.players
    from paid as p
    join won as w on w.game = p.game and w.source = p.source
    join places as s on s.game = p.game
    order by p.game, p.source
"""
_WORTH: Final = f"""
    with sources as ({_SOURCE}),
    pay as (
      select match_id, deviation, sum(gained) as left_over, any_value(moved) as moved from who_gained group by all
    ),
    moves as (select deviation, sum(moved) as moved, sum(left_over) as left_over from pay group by all),
    single as (
      select string_agg(distinct f.deviation, '+') as deviation, f.match_id, f.hand_index,
        sum(-s.written_off) filter (where s.seat = h.dealer_seat) as dealer,
        moved_by(s.written_off) as moved
      from (
        select distinct match_id, hand_index, deviation
        from stored.findings where verdict = 'engine_deviation' and kind = 'pay'
      ) as f
      join stored.hands as h on h.match_id = f.match_id and h.hand_index = f.hand_index
      join stored.seats as s on s.match_id = f.match_id and s.hand_index = f.hand_index
      group by f.match_id, f.hand_index
    ),
    hands_of as (select deviation, max(moved) as largest, sum(dealer) as dealer from single group by all)
    select f.deviation, any_value(f.kind), count(*),
      count(distinct (f.match_id, f.hand_index)) as hands,
      count(distinct (f.match_id, f.hand_index)) filter (where x.source = 'published'),
      count(distinct f.match_id),
      any_value(m.moved), any_value(h.dealer), any_value(m.left_over), any_value(h.largest)
    from stored.findings as f
    join sources as x on x.match_id = f.match_id
    left join moves as m on m.deviation = f.deviation
    left join hands_of as h on h.deviation = f.deviation
    where f.verdict = 'engine_deviation'
    group by f.deviation
    order by f.deviation
"""
_FAULTS: Final = f"""
    with sources as ({_SOURCE}),
    sat as (
      select x.game, x.source, count(*) as n, count(distinct (p.event, p.player, p.namesake_seat)) as bots
      from stored.hands as h
      join sources as x on x.match_id = h.match_id
      join players as p on p.match_id = h.match_id
      group by all
    ),
    told as (
      select x.game, x.source, t.kind, count(*) as faults,
        count(distinct (t.match_id, t.hand_index, t.seat)) as faulty,
        count(distinct (p.event, p.player, p.namesake_seat)) as bots
      from stored.faults as t
      join sources as x on x.match_id = t.match_id
      left join players as p on p.match_id = t.match_id and p.seat = t.seat
      group by all
    )
    select t.game, t.source, t.kind, t.faults, s.n, t.faulty, t.bots, s.bots
    from told as t join sat as s on s.game = t.game and s.source = t.source
    order by t.game, t.source, t.kind
"""
_CARDS: Final = """
    select game, count(*) filter (where reuse = 'duplicate'), count(*) filter (where reuse = 'seed'),
      count(*) filter (where reuse = 'series'), count(*) filter (where reuse is null)
    from repeated_deals group by game order by game
"""
_WRONG: Final = f"""
    with sources as ({_SOURCE})
    select x.game, x.source, count(*) as n,
      count(*) filter (where h.verdict = 'violation'), count(*) filter (where h.verdict = 'damaged'),
      count(*) filter (where h.verdict = 'unverified')
    from stored.hands as h join sources as x on x.match_id = h.match_id
    group by all order by all
"""
_COUNTS: Final = """
    select f.deviation, f.kind, count(*), count(distinct (f.match_id, f.hand_index)),
      any_value(w.moved), count(*) filter (where len(list_distinct(m.players)) < len(m.players))
    from stored.findings as f
    join matches as m on m.match_id = f.match_id
    left join (
      select deviation, sum(moved) as moved
      from (select match_id, deviation, any_value(moved) as moved from who_gained group by all) group by all
    ) as w on w.deviation = f.deviation
    where f.verdict = 'engine_deviation'
    group by f.deviation, f.kind
    order by f.deviation
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
    for game, logs, n, k, moved, matches, touched, changed, places, players in store.sql(_PAY).fetchall():
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
    rows = [(_deviation(row[0]), row[1], *map(_number, row[2:])) for row in store.sql(_WORTH).fetchall()]
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
        for game, source, kind, faults, n, faulty, bots, played in store.sql(_FAULTS).fetchall()
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
    shared = {row[0]: row[1:] for row in store.sql(_CARDS).fetchall()}
    rows = [
        (name, *map(_number, shared.get(name, (0, 0, 0, 0))), "{} of {}".format(*uneven.get(name, (0, 0))))
        for name in sorted(shared.keys() | uneven.keys())
    ]
    return table(("game", "duplicate", "seed", "series", "nothing announces it", "uneven matches"), rows)


def _unannounced(store: Store) -> str:
    rows = store.sql("""
        select
          r.game, count(*), count(distinct (least(a.file_id, b.file_id), greatest(a.file_id, b.file_id))),
          bool_and(a.file_id <> b.file_id)
        from repeated_deals as r
        join matches as a on a.match_id = r.match_id
        join matches as b on b.match_id = r.other_match_id
        where r.reuse is null group by r.game order by r.game
    """).fetchall()
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
        for game, source, n, violation, damaged, unverified in store.sql(_WRONG).fetchall()
    ]
    return table(("game", "logs", "n hands", "violations", "damaged", "unverified"), rows)


def page(store: Store) -> str:
    """The text of docs/what-we-found.md."""
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
        for name, kind, findings, hands, moved, one_name in store.sql(_COUNTS).fetchall()
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
