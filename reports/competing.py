"""Who stands where: the tables of a competition as `railbird standings` prints them."""

from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Final

from ..analytics.players import check_event
from ..analytics.settings import FEW
from . import Format, UserError, terminal
from .answers import name_of
from .terminal import Answer, minus, printable

if TYPE_CHECKING:
    import polars as pl

    from ..analytics.standings import Competition
    from ..analytics.store import Store

WIDE: Final = 14
"""Opponents beside each other in the crosstable, at most."""
_DECISIVE: Final = 5

_NOTES: Final = {
    "standings": (
        "mbb/h = thousandths of a bb per hand, with its 95% interval over n independent units. P(1st), ranks: 95% of",
        "draws from the resets (?: too few of them). Run-off: place if the lowest is dropped round by round.",
        "Without one: best and worst rank when one opponent is left out. Definitions: docs/standings.md",
    ),
    "crosstable": (
        "Row's mbb/h in matches with the column ± half of its 95% interval; * the interval leaves out what both won if",
        f"they were even: 0, or half of what two won together; faint: fewer than {FEW} units or none to tell. P: the",
        "row has more total bankroll than the column (?: too few resets).",
    ),
    "run-off": ("Chips won among those still in; the 95% interval is over draws with these survivors.",),
}

_OVER: Final = "After round {} somebody left has no match with the others: its totals place them all."


class Shown(StrEnum):
    """Which table comes out as CSV or JSON."""

    STANDINGS = "standings"
    CROSSTABLE = "crosstable"
    RUN_OFF = "run-off"


def _thousandths(value: float | None) -> str:
    return "" if value is None else minus(f"{value:+,.0f}")


def _span(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{_thousandths(low)} to {_thousandths(high)}"


def _ranks(low: int | None, high: int | None) -> str:
    return "" if low is None or high is None else str(low) if low == high else f"{low}–{high}"


def _chance(row: dict[str, Any]) -> str:
    """P(first), with a question mark where the resets are too few."""
    return terminal.percent(row["p_first"]) + _doubt(row, "p_first")


def _doubt(row: dict[str, Any], chance: str) -> str:
    return "?" if row["scarce"] and row[chance] is not None else ""


def _title(competition: "Competition", what: str) -> str:
    return f"{what}: {competition.game}, event {competition.event}"


def _standings(competition: "Competition") -> Answer:
    koper = competition.standings["wins"].is_not_null().any()
    columns = ["rank", "player", "matches", "hands", "n", "chips", "mbb/h", "95% interval", "P(1st)", "ranks"]
    columns += ["run-off", "without one", *(["wins", "by wins"] if koper else [])]
    rows = []
    for row in competition.standings.iter_rows(named=True):
        line = [row["rank"], name_of(row["player"], row["seat"]), row["matches"], row["hands"], row["units"]]
        line += [row["chips"], row["mbb_per_hand"], _span(row["low"], row["high"]), _chance(row)]
        line += [_ranks(row["rank_low"], row["rank_high"]), row["run_off_place"]]
        line += [_ranks(row["rank_without_low"], row["rank_without_high"])]
        rows.append([*line, row["wins"], row["rank_by_wins"]] if koper else line)
    writers: dict[str, Callable[[Any], str]] = {
        "hands": terminal.chips,
        "n": terminal.chips,
        "chips": terminal.signed,
        "mbb/h": _thousandths,
        "95% interval": str,
        "P(1st)": str,
        "ranks": str,
        "without one": str,
    }
    return Answer(columns, rows, _title(competition, "Standings"), writers, lambda row: row[4] < FEW)


def _run_off(competition: "Competition") -> Answer:
    columns = ["round", "player", "hands", "chips", "mbb/h", "95% interval of chips", ""]
    rows = []
    last = competition.run_off["round"].to_list()[-1]
    left = competition.run_off.filter(round=last).height
    for row in competition.run_off.iter_rows(named=True):
        fate = f"out, place {row['final_place']}" if row["dropped"] else ""
        if row["round"] == last and not row["dropped"]:
            fate = "wins" if left == 2 else f"place {row['final_place']}"
        line = (row["round"], name_of(row["player"], row["seat"]), row["hands"], row["chips"])
        rows.append((*line, row["mbb_per_hand"], _span(row["chips_low"], row["chips_high"]), fate))
    writers: dict[str, Callable[[Any], str]] = {
        "hands": terminal.chips,
        "chips": terminal.signed,
        "mbb/h": _thousandths,
        "95% interval of chips": str,
    }
    notes = [_OVER.format(last)] if left > 2 else []
    return Answer(columns, rows, _title(competition, "Run-off"), writers, notes=notes)


def cell_text(row: dict[str, Any]) -> str:
    """A cell of the crosstable: mbb/h ± half of the interval, a star where it leaves out `even`, P of more bankroll."""
    if row["mbb_per_hand"] is None:
        return "–"
    half = "" if row["low"] is None else f" ±{(row['high'] - row['low']) / 2:,.0f}"
    star = "*" if row["evidence"] == "strong" else ""
    chance = (
        "" if row["p_beats"] is None else f" P\N{NO-BREAK SPACE}{row['p_beats']:.2f}{_doubt(row, 'p_beats')}"
    )
    return f"{_thousandths(row['mbb_per_hand'])}{half}{star}{chance}"


def decisive_lines(competition: "Competition") -> list[str]:
    """A sentence for each pair without whose matches another would lead, the first few."""
    rows = competition.decisive.to_dicts()
    lines = [
        printable(
            f"Without {name_of(row['player'], row['seat'])} v {name_of(row['opponent'], row['opponent_seat'])}"
            f" ({row['hands']:,} hands) {name_of(row['winner'], row['winner_seat'])} would lead."
        )
        for row in rows[:_DECISIVE]
    ]
    more = len(rows) - _DECISIVE
    return [*lines, f"And {more} more such pairs."] if more > 0 else lines


def _draw_crosstable(competition: "Competition") -> None:
    from rich.text import Text

    from .layout import Column, fits, lay_out

    out = terminal.console()
    cells = {
        (row["place"], row["opponent_place"]): row for row in competition.crosstable.iter_rows(named=True)
    }
    names = [name_of(*key) for key in competition.standings.select("player", "seat").iter_rows()]
    players = Column(Text("mbb/h"), [Text(printable(name)) for name in names])
    opponents = []
    for other, name in enumerate(names, 1):
        line = []
        for place in range(1, len(names) + 1):
            row = cells.get((place, other))
            if row is None:
                line.append(Text(""))
                continue
            faint = row["evidence"] == "grey" or (row["units"] or 0) < FEW
            style = "dim" if faint else "bold" if row["evidence"] == "strong" else ""
            line.append(Text(cell_text(row), style=style))
        opponents.append(Column(Text(printable(name)), line, "right"))
    title = printable(_title(competition, "Crosstable"))
    while opponents:
        beside = next((k for k in range(WIDE, 1, -1) if fits([players, *opponents[:k]], out.width)), 1)
        out.print(lay_out([players, *opponents[:beside]], out.width, title))
        opponents = opponents[beside:]


def _note(what: str) -> None:
    for line in _NOTES[what]:
        print(line)


def _rows(competitions: Sequence["Competition"], pick: Callable[["Competition"], "pl.DataFrame"]) -> Answer:
    """One table of all competitions, event and game in front."""
    columns = list(pick(competitions[0]).columns)
    own = [name for name in columns if name not in ("event", "game", "lineup")]

    def lines() -> Iterator[tuple[Any, ...]]:
        for competition in competitions:
            for row in pick(competition).select(own).iter_rows():
                yield (competition.event, competition.game, *row)

    return Answer(["event", "game", *own], lines())


def print_standings(
    store: "Store", event: str | None, shown: Sequence[Shown], draws: int, seed: int, form: Format
) -> None:
    """Print the competitions of a store; as CSV or JSON one table, its rows as `competition.Competition` has them.

    shown: what comes besides the standings. UserError where two tables would come out as one file, and where the
    store has no match of the event.
    """
    from ..analytics.standings import competitions

    if form is not Format.TABLE and len(shown) > 1:
        raise UserError(f"--format {form} prints one table: give --crosstable or --run-off, not both")
    if event is not None:
        check_event(store, event)
    found = list(competitions(store, event, draws=draws, seed=seed))
    if not found:
        raise UserError("no hands to rank" + (f" in event {event!r}" if event is not None else ""))
    if form is not Format.TABLE:
        which = shown[0] if shown else Shown.STANDINGS
        picks: dict[Shown, Callable[[Competition], pl.DataFrame]] = {
            Shown.STANDINGS: lambda competition: competition.standings,
            Shown.CROSSTABLE: lambda competition: competition.crosstable,
            Shown.RUN_OFF: lambda competition: competition.run_off,
        }
        terminal.write(_rows(found, picks[which]), form)
        return
    for competition in found:
        terminal.write(_standings(competition), form)
        if Shown.CROSSTABLE in shown:
            _draw_crosstable(competition)
        if Shown.RUN_OFF in shown:
            terminal.write(_run_off(competition), form)
        for line in decisive_lines(competition):
            print(line)
        for doubt in competition.doubts:
            print(f"! {doubt.text}")
        print()
    _note("standings")
    for table in shown:
        _note(table)
