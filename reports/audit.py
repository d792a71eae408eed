"""The output of `railbird verify` and `railbird audit`, each row with an example hand."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Final

from ..analytics.settings import FEW, LEVEL, Kind
from ..analytics.views import queries
from . import LISTED, Format, UserError, terminal
from .matches import (
    MatchName,
    all_matches,
    chosen_matches,
    hand_name,
    ids,
    name_of,
    numbered,
    short_hand,
    short_names,
)
from .terminal import Answer, chips, interval, percent, signed, words

if TYPE_CHECKING:
    from ..analytics.audit import Audited
    from ..analytics.dealer import DealerTest
    from ..analytics.store import Store
    from ..storage.integrity import Checked


def count_violations(store: "Store", matches: list[int]) -> int:
    """The number of hands in violation."""
    query = "select count(*) from hands where verdict = 'violation' and among(match_id, $ids)"
    return int(store.execute(query, ids=matches).fetchall()[0][0])


def _verdicts(store: "Store", matches: list[int]) -> Answer:
    rows = store.execute(
        "select game, verdict, hands, 100.0 * hands / sum(hands) over (partition by game) from ("
        " select game, verdict, sum(hands)::bigint as hands from verdicts"
        " where among(match_id, $ids) group by all) order by game, hands desc",
        ids=matches,
    ).fetchall()
    writers: dict[str, Callable[[Any], str]] = {"verdict": words, "hands": chips, "share": _share}
    return Answer(("game", "verdict", "hands", "share"), rows, "Hands by verdict", writers)


def _share(value: float) -> str:
    return f"{value:.2f}%"


def _print_other_games(found: Sequence[tuple[Any, ...]], paid: int) -> None:
    """The matches of other games; paid: how many of them pay differently, where that decides the exit code."""
    if not found:
        return
    rows = [
        (f"{PurePath(path or '').name}:{line}", str(match), rule, hands)
        for path, line, match, rule, hands, _ in found
    ]
    columns = ("file:line", "match", "rule", "broken in hands")
    terminal.write(Answer(columns, rows, "Other games: one rule is broken nearly always"))
    if paid:
        said = "match pays" if paid == 1 else "matches pay"
        print(
            f"{paid:,} {said} differently from every known game: exit code 1 (--allow-other-games accepts this)."
        )


def print_integrity(checked: "Iterable[Checked]", form: Format) -> int:
    """Print the damaged parts of a store, and how many there are; returns how many are damaged."""
    parts = size = 0
    rows = []
    for one in checked:
        parts, size = parts + 1, size + one.size
        if one.problem:
            rows.append((one.part.name, one.problem))
    if form is not Format.TABLE or rows:
        terminal.write(Answer(("part", "problem"), rows, "Damaged parts"), form)
    if form is Format.TABLE:
        counted = f"{terminal.counted(parts, 'part')}, {size / 1e6:.1f} MB"
        print(
            f"{counted}: {len(rows):,} damaged; `railbird ingest` of the same logs repairs it"
            if rows
            else f"{counted}: whole"
        )
    return len(rows)


def print_verdicts(
    store: "Store",
    text: str | None,
    every: bool,
    form: Format,
    other_games: bool = False,
    event: str | None = None,
    game: str | None = None,
) -> int:
    """Print the summary and the violations of some matches; returns the number of forbidden things.

    That is hands in violation and, unless `other_games` allows them, matches of an unknown game that pays differently.
    every: all violations instead of the first; as CSV or JSON, these instead of the summary.
    """
    matches = ids(chosen_matches(store, text, event, game))
    others = store.execute(queries("verify")["other_games"], ids=matches).fetchall()
    paid = 0 if other_games else sum(bool(pays) for *_, pays in others)
    wrong = count_violations(store, matches) + paid
    if form is not Format.TABLE:
        query = queries("verify")["violations" if every else "summary"]
        terminal.write(terminal.answer(store, query, ids=matches), form)
        return wrong
    _print_other_games(others, paid)
    found = store.execute(queries("verify")["violations"], ids=matches).fetchall()
    print(_answer(store, matches, len(found)))
    terminal.write(_verdicts(store, matches))
    summary = store.execute(queries("verify")["summary"], ids=matches).fetchall()
    if summary:
        columns = ("game", "verdict", "deviation", "rule", "kind", "findings", "hands", "chips_moved")
        writers: dict[str, Callable[[Any], str]] = {
            "verdict": words,
            **dict.fromkeys(("findings", "hands", "chips_moved"), chips),
        }
        records = [dict(zip(columns, row, strict=True)) for row in summary]
        minor = terminal.alike(records, ("game", "verdict"))
        title = "Findings (chips moved against the written rules)"
        terminal.write(Answer(columns, summary, title, writers, minor=minor))
    _print_violations(store, found, every)
    return wrong


def _answer(store: "Store", matches: list[int], violations: int) -> str:
    """The sentence that comes before the tables."""
    if violations:
        hands = terminal.counted(count_violations(store, matches), "hand")
        return f"{terminal.counted(violations, 'violation')} in {hands}."
    unclear = store.execute(queries("verify")["unclear"], ids=matches).fetchall()
    said = " and ".join(f"{hands:,} {verdict}" for verdict, hands in unclear)
    aside = f", {said} hands aside" if said else ""
    return f"No violation: known engines explain every finding{aside}."


def _print_violations(store: "Store", found: Sequence[tuple[Any, ...]], every: bool) -> None:
    if not found:
        return
    shown = found if every else found[:LISTED]
    names = short_names(all_matches(store))
    rows = [
        (f"{PurePath(row[0] or '').name}:{row[1]}", short_hand(names, row[2], row[3]), row[4], row[5], row[7])
        for row in shown
    ]
    answer = Answer(("file:line", "hand", "player", "rule", "finding"), rows, "Violations")
    terminal.write(numbered(store, answer, [(row[2], row[3]) for row in shown]))
    if len(shown) < len(found):
        print(f"The first {len(shown)} of {len(found)} violations; --all lists every one.")


_TITLES: Final = {
    "checks": "Checks (hands with a finding, by aspect; violations: their share of all hands, with its 95% interval)",
    "findings": "Findings",
    "deals": "The same cards dealt twice (p: at most how often by chance; reuse: the reason that the logs state)",
    "balance": (
        "Is the dealer fair? (each test over the matches of an event, and the cards of each match; effect: above what "
        "is fair, as a share of hands, equity or the chips at stake, of high cards in ranks; seen from: the least "
        "deviation found four times of five; q: p corrected for the number of tests)"
    ),
    "failures": (
        "Which bots failed (rate: share of hands with a fault of the kind and its 95% interval; instead: what the "
        "engine then played for the player, none where nothing; bb/100: what the player won in hands with such a "
        "fault, luck included, and in its other hands, with 95% intervals; the hand is the first with one)"
    ),
    "faults": (
        f"Faults: bots' illegal, misformatted and late answers and disconnections, by blocks of a hundred hands "
        f"(block 0 is the first; rate: share of hands with a fault and its 95% interval; grey: under {FEW} hands)"
    ),
    "gains": "Who gained where the engine paid differently from the written rules",
    "winners": "Matches in which chips moved: would the winner change if every hand were paid as written?",
    "standings": "Standings, as logged and as if every hand were paid as written",
}
_CONCERNS: Final = {
    "checks": "Aspects with a violation",
    "findings": "Violations",
    "deals": "Repeats without a stated reason",
    "balance": f"Tests of dealers beyond chance (q < {LEVEL})",
    "failures": "Players by kind of fault",
    "faults": "Blocks of hands with faults",
    "gains": "Gains and losses (a row for each match, deviation and player)",
    "winners": "Matches whose winner changes",
    "standings": "Players whose place changes",
}
_MOST_FAILURES: Final = 3
_LEAST: Final = 1e-300
"""About the least number above zero."""
_OVER_MATCHES: Final = ("failures", "faults", "standings")
"""Kinds whose seat is `namesake_seat`; for the others it is the seat in the match."""
_UNCUT: Final = ("checks", "standings")
"""Kinds whose rows are all printed."""
_VERDICTS: Final = ("violation", "damaged", "engine_deviation", "unverified")
_SHOWN: Final = {
    "checks": "game aspect hands verdicts violations 95% hand",
    "findings": "file:line hand player aspect verdict deviation message",
    "deals": "game reuse shared hands share p hand other_hand",
    "balance": "event game test matches hands expected rarest commonest effect seen_from p q hand",
    "failures": "event player kind faulty hands rate 95% instead bb/100 otherwise hand",
    "faults": "event game player kind block hands faulty rate 95% hand",
    "gains": "event game deviation player hands gained moved hand",
    "winners": "event game winners winners_written margin margin_written moved concern hand",
    "standings": "event game player matches hands chips chips_written place place_written hand",
}


def _small(value: float | None) -> str:
    if value == 0:
        return f"<{_LEAST:g}"
    if value is None:
        return ""
    return f"{value:.2g}" if value < 1 else f"{value:,.1f}"


def _names(value: list[str] | None) -> str:
    return ", ".join(map(terminal.printable, value or ()))


_FORMATS: Final[dict[str, Callable[[Any], str]]] = {
    **dict.fromkeys(("hands", "dealt"), chips),
    **dict.fromkeys(("gained", "chips", "chips_written"), signed),
    **dict.fromkeys(("moved", "margin", "margin_written"), chips),
    **dict.fromkeys(("rate", "share", "violations"), percent),
    **dict.fromkeys(("p", "q", "expected"), _small),
    **dict.fromkeys(("winners", "winners_written"), _names),
    "verdict": words,
}


def _cells(columns: tuple[str, ...], row: tuple[Any, ...], names: Mapping[int, str]) -> dict[str, Any]:
    """A row by column name, with the hand, the line and the interval each in one cell.

    names  `short_names` of the matches
    """
    cells = dict(zip(columns, row, strict=True))
    for hand, match, index in (
        ("hand", "match_id", "hand_index"),
        ("other_hand", "other_match_id", "other_hand_index"),
    ):
        known = cells.get(match) is not None and cells.get(index) is not None
        cells[hand] = short_hand(names, cells[match], cells[index]) if known else None
    if "line" in cells:
        cells["file:line"] = f"{PurePath(cells['path'] or '').name}:{cells['line']}"
    if set(_VERDICTS) <= cells.keys():
        cells["verdicts"] = ", ".join(
            f"{chips(cells[name])} {words(name)}" for name in _VERDICTS if cells[name]
        )
    if "seen_from" in cells:
        cells |= _of_dealer(cells)
    # Of checks the other verdicts have no rate.
    cells["violations"] = cells.get("rate")
    if "rate_low" in cells:
        cells["95%"] = interval(cells["rate_low"], cells["rate_high"], 2)
    if "instead" in cells:
        cells["bb/100"] = _won(cells["bb_per_100"], cells["bb_per_100_low"], cells["bb_per_100_high"])
        cells["otherwise"] = _won(
            cells["otherwise_bb_per_100"],
            cells["otherwise_bb_per_100_low"],
            cells["otherwise_bb_per_100_high"],
        )
    return cells


def _won(mean: float | None, low: float | None, high: float | None) -> str:
    """bb/100 with their 95% interval, where there is one."""
    if mean is None:
        return ""
    alone = terminal.small(mean, "+")
    if low is None or high is None:
        return alone
    return f"{alone} ({terminal.small(low, '+')} to {terminal.small(high, '+')})"


def _of_dealer(cells: Mapping[str, Any]) -> dict[str, str]:
    """What a test of a dealer says, in words."""
    who = "" if cells["who"] is None else f" {terminal.printable(cells['who'])}"
    place = "" if cells["place"] == cells["test"] else f", {cells['place']}"
    found = {"test": f"{cells['test']}{who}{place}"}
    for kind in ("rarest", "commonest"):
        found[kind] = "" if cells[kind] is None else f"{cells[kind]} {chips(cells[f'{kind}_dealt'])}"
    least = cells["seen_from"]
    if cells["effect"] is not None:
        found |= {"effect": terminal.minus(f"{cells['effect']:+.3f}"), "seen_from": f"±{least:.3f}"}
    elif cells["statistic"] is None:
        found |= {"commonest": chips(cells["dealt"]), "seen_from": chips(least)}
    else:
        found["seen_from"] = f"±{percent(least)}"
    return found


def _print_dealer(found: "Sequence[DealerTest]") -> None:
    from ..analytics.dealer import power

    for test in found:
        if test.concern:
            terminal.say(f"{terminal.printable(f'{test.event} {test.game}: {test.sentence}')}.", "  ", "    ")
    terminal.say(power(found))


def _print_most_failures(shown: Sequence[Mapping[str, Any]]) -> None:
    """Print the players with the most faults of a kind, and since when."""
    most = sorted(shown, key=lambda cells: -cells["rate"])[:_MOST_FAILURES]
    for cells in most:
        played = "nothing for it" if cells["instead"] == f"none {cells['faults']}" else cells["instead"]
        terminal.say(
            f"{terminal.printable(cells['player'])}: {cells['kind']} in {chips(cells['faulty'])} of "
            f"{terminal.counted(cells['hands'], 'hand')}, first {cells['hand']}; the engine then played "
            f"{played}; {cells['bb/100'] or 'unknown'} bb/100 in them, "
            f"{cells['otherwise'] + ' in others' if cells['otherwise'] else 'and it played no others'}.",
            "  ",
            "    ",
        )


def audited_matches(
    store: "Store", kind: Kind, text: str | None, event: str | None = None, game: str | None = None
) -> list[MatchName]:
    """The matches of an audit; UserError for some matches of a kind that is about all."""
    from ..analytics.audit import WHOLE

    options = {"--match": text, "--event": event, "--game": game}
    if kind in WHOLE and (given := [option for option, value in options.items() if value is not None]):
        raise UserError(f"audit {kind} covers all matches of the store; leave out {' and '.join(given)}")
    return chosen_matches(store, text, event, game)


def print_audit(
    store: "Store",
    wanted: Kind | None,
    text: str | None,
    every: bool,
    form: Format,
    event: str | None = None,
    game: str | None = None,
) -> int:
    """Print an audit of some matches; returns how many rows an auditor should look at.

    wanted: None prints the checks, whose number it returns, and how much of concern each other kind has.
    every: all rows instead of 20, those of concern first; CSV and JSON have all, and all columns, of one kind.
    UserError for some matches of a kind that is about all.
    """
    from ..analytics.audit import KINDS

    kind = wanted or Kind.CHECKS
    matches = audited_matches(store, kind, text, event, game)
    audited = KINDS[kind](store, ids(matches))
    if form is Format.TABLE:
        _print_table(store, audited, kind, every, matches)
        if kind == Kind.CHECKS:
            _print_aspects(store, audited)
        if wanted is None:
            _print_others(store, matches, text is event is game is None, audited.concerns)
    else:
        terminal.write(terminal.composed(*with_hands(audited)), form)
    return audited.concerns


def _print_aspects(store: "Store", audited: "Audited") -> None:
    """Print the question of each aspect that has a finding."""
    found = {row[1] for row in audited.rows if any(row[3:7])}
    for aspect, asks in store.execute(
        "select distinct aspect, asks from audit_rules order by aspect"
    ).fetchall():
        if aspect in found:
            print(f"{aspect}: {asks}.")


def _print_others(store: "Store", matches: Sequence[MatchName], whole: bool, concerns: int) -> None:
    """Print the rows of concern of the other kinds. whole: the matches are all of the store's."""
    from ..analytics.audit import KINDS, WHOLE

    rows = []
    for kind, ask in KINDS.items():
        if kind != Kind.CHECKS and (whole or kind not in WHOLE):
            audited = ask(store, ids(matches))
            rows.append((f"railbird audit {kind}", audited.concerns, len(audited.rows), _CONCERNS[kind]))
    counts = dict.fromkeys(("of concern", "rows"), chips)
    print()
    terminal.write(Answer(("shown by", "of concern", "rows", "counted"), rows, "Other audits", counts))
    terminal.say(
        f"Exit code {int(concerns > 0)}: 1 means that an aspect has a violation. Each command above exits with 1 "
        "if it has a row of concern. `railbird audit information` takes longer and was not asked."
    )


def with_hands(audited: "Audited") -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
    """Columns and rows of an audit, each row with the name of its hand."""
    rows = [(*row[:-1], hand_of(row), row[-1]) for row in audited.rows]
    return (*audited.columns[:-1], "hand", "concern"), rows


def hand_of(row: tuple[Any, ...]) -> str | None:
    """MATCH#HAND of an audit's row."""
    match, index = row[-3], row[-2]
    return None if match is None or index is None else hand_name(match, index)


def _print_table(
    store: "Store", audited: "Audited", kind: str, every: bool, matches: Sequence[MatchName]
) -> None:
    whole = every or kind in _UNCUT or len(audited.rows) <= LISTED
    # Of rows that are cut, those of concern come first.
    listed = audited.rows if whole else sorted(audited.rows, key=lambda row: not row[-1])[:LISTED]
    names = short_names(all_matches(store))
    shown = [_cells(audited.columns, row, names) for row in listed]
    clean = 0
    if kind == "checks" and not every:
        found = [cells for cells in shown if cells["verdicts"]]
        clean, shown = len(shown) - len(found), found
    labels = {match.match_id: match.labels for match in matches}
    for cells in shown:
        for seats, winners in (("winner_seats", "winners"), ("winner_seats_written", "winners_written")):
            if seats in cells:
                cells[winners] = [labels[cells["match_id"]][seat] for seat in cells[seats]]
        if cells.get("player") is not None and cells["seat"] is not None:
            over_matches = kind in _OVER_MATCHES
            cells["player"] = (
                name_of(cells["player"], cells["seat"])
                if over_matches
                else labels[cells["match_id"]][cells["seat"]]
            )
    columns = _SHOWN[kind].split()
    if clean and not shown:
        hands = terminal.counted(sum(match.hands for match in matches), "hand")
        aspects = terminal.counted(clean, "aspect")
        terminal.say(_TITLES[kind])
        terminal.say(f"No finding in {hands}: {aspects} were checked; --all lists them.")
        return
    if not shown:
        hands = terminal.counted(sum(match.hands for match in matches), "hand")
        # What a title says of columns is about a table.
        terminal.say(_TITLES[kind].partition(" (")[0])
        terminal.say(f"None in {hands} of {terminal.counted(len(matches), 'match')}.")
        return
    terminal.say(f"{_CONCERNS[kind]}: {audited.concerns}.")
    if kind == Kind.FAILURES:
        _print_most_failures(shown)
    if kind == Kind.BALANCE:
        _print_dealer(audited.rows)  # type: ignore[arg-type]
    faint = columns.index("hands") if kind == "faults" else None
    table = Answer(
        columns,
        [[cells[name] for name in columns] for cells in shown],
        _TITLES[kind],
        {name: write for name, write in _FORMATS.items() if name in columns},
        None if faint is None else lambda row: row[faint] < FEW,
        minor=terminal.alike(shown, ("game", "event")),
    )
    if "hand" in columns:
        named = [(cells["match_id"], cells["hand_index"]) for cells in shown]
        table = numbered(store, table, [None if None in one else one for one in named])
    terminal.write(table)
    if not whole:
        print(f"{len(shown)} of {len(audited.rows)} rows, those of concern first; --all lists every one.")
    if clean and clean < len(audited.rows):
        print(f"{clean} aspects without a finding are not listed; --all lists them.")
