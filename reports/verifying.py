"""What `railbird verify` prints: hands by verdict, known deviations, and every violation with its line."""

from collections.abc import Callable
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from . import LISTED, Format, terminal
from .answers import find_matches, hand_name, ids
from .terminal import Answer, chips, words

if TYPE_CHECKING:
    from ..analytics.store import Store

_SUMMARY: Final = """
    select game, verdict, deviation, rule, kind, sum(findings)::bigint as findings, sum(hands)::bigint as hands,
        sum(chips_moved) as chips_moved
    from findings_summary_by_match where list_contains($ids, match_id)
    group by all order by game, verdict, hands desc, deviation, rule
"""
_VIOLATIONS: Final = """
    select f.path, x.line, x.match_id, x.hand_index, x.player, x.rule, x.kind, x.message,
        x.expected, x.logged, x.chips
    from findings x left join files f using (file_id)
    where x.verdict = 'violation' and list_contains($ids, x.match_id)
    order by f.path, x.line, x.match_id, x.hand_index, x.seq
"""
_OTHER_GAMES: Final = """
    select f.path, min(x.line) as line, x.match_id, x.expected as rule, x.logged as hands,
        coalesce(bool_or(w.pay), false) as pay
    from findings x left join files f using (file_id)
    left join (
        select match_id, rule, bool_or(kind = 'pay') as pay from findings group by all
    ) w on w.match_id = x.match_id and w.rule = x.expected
    where x.rule = 'other-game' and list_contains($ids, x.match_id)
    group by f.path, x.match_id, x.expected, x.logged order by f.path, line, x.match_id
"""
_UNCLEAR: Final = """
    select verdict, sum(hands)::bigint from verdicts
    where verdict in ('damaged', 'unverified') and list_contains($ids, match_id)
    group by verdict order by verdict
"""


def count_violations(store: "Store", matches: list[int]) -> int:
    """Hands in violation."""
    query = "select count(*) from hands where verdict = 'violation' and list_contains($ids, match_id)"
    return int(store.sql(query, ids=matches).fetchall()[0][0])


def _verdicts(store: "Store", matches: list[int]) -> Answer:
    rows = store.sql(
        "select game, verdict, hands, 100.0 * hands / sum(hands) over (partition by game) from ("
        " select game, verdict, sum(hands)::bigint as hands from verdicts"
        " where list_contains($ids, match_id) group by all) order by game, hands desc",
        ids=matches,
    ).fetchall()
    writers: dict[str, Callable[[Any], str]] = {"verdict": words, "hands": chips, "share": _share}
    return Answer(("game", "verdict", "hands", "share"), rows, "Hands by verdict", writers)


def _share(value: float) -> str:
    return f"{value:.2f}%"


def _print_other_games(store: "Store", matches: list[int]) -> None:
    found = store.sql(_OTHER_GAMES, ids=matches).fetchall()
    if found:
        rows = [
            (f"{PurePath(path or '').name}:{line}", str(match), rule, hands)
            for path, line, match, rule, hands, _ in found
        ]
        columns = ("file:line", "match", "rule", "broken in hands")
        terminal.write(Answer(columns, rows, "Other games: one rule is broken nearly always"))


def count_other_pay(store: "Store", matches: list[int]) -> int:
    """Matches of another game that pays otherwise."""
    return sum(bool(pay) for *_, pay in store.sql(_OTHER_GAMES, ids=matches).fetchall())


def print_verdicts(
    store: "Store", text: str | None, every: bool, form: Format, other_games: bool = False
) -> int:
    """Print the summary and the violations of some matches; returns how many there are of what is not allowed.

    That is hands in violation and, unless `other_games` allows them, matches of another game that pays otherwise.
    every: all violations instead of the first; as CSV or JSON, these instead of the summary.
    """
    matches = ids(find_matches(store, text))
    wrong = count_violations(store, matches) + (0 if other_games else count_other_pay(store, matches))
    if form is not Format.TABLE:
        query = _VIOLATIONS if every else _SUMMARY
        terminal.write(terminal.answer(store, query, ids=matches), form)
        return wrong
    _print_other_games(store, matches)
    terminal.write(_verdicts(store, matches))
    summary = store.sql(_SUMMARY, ids=matches).fetchall()
    if summary:
        columns = ("game", "verdict", "deviation", "rule", "kind", "findings", "hands", "chips_moved")
        writers: dict[str, Callable[[Any], str]] = {
            "verdict": words,
            **dict.fromkeys(("findings", "hands", "chips_moved"), chips),
        }
        terminal.write(Answer(columns, summary, "Findings (chips moved against the written rules)", writers))
    _print_violations(store, matches, every)
    return wrong


def _print_violations(store: "Store", matches: list[int], every: bool) -> None:
    found = store.sql(_VIOLATIONS, ids=matches).fetchall()
    if not found:
        unclear = store.sql(_UNCLEAR, ids=matches).fetchall()
        said = " and ".join(f"{hands:,} {verdict}" for verdict, hands in unclear)
        aside = f", {said} hands aside" if said else ""
        print(f"No violation: known engines explain every finding{aside}.")
        return
    shown = found if every else found[:LISTED]
    rows = [
        (f"{PurePath(row[0] or '').name}:{row[1]}", hand_name(row[2], row[3]), row[4], row[5], row[7])
        for row in shown
    ]
    terminal.write(Answer(("file:line", "hand", "player", "rule", "finding"), rows, "Violations"))
    if len(shown) < len(found):
        print(f"The first {len(shown)} of {len(found)} violations; --all lists every one.")
