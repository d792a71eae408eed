"""Who won how much: the tables of `railbird bankroll`, `luck` and `standings`."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from ..analytics import luck
from ..analytics.hand_arrays import is_counted
from ..analytics.players import check_named, rules_of
from ..analytics.settings import FEW, Grouping
from ..replay.games import ROUNDS_PER_BOUNTY
from . import Format, PlotStyle, UserError, terminal
from .matches import (
    MatchName,
    all_matches,
    chosen_matches,
    ids,
    name_of,
    numbered,
    numbered_together,
    short_names,
)
from .terminal import Answer, Column, answer, chips, fits, lay_out, minus, printable, signed, sparkline

if TYPE_CHECKING:
    import polars as pl

    from ..analytics.standings import Competition
    from ..analytics.store import Store

_BLOCKS: Final = 8
WIDE: Final = 14
"""The most opponents side by side in the crosstable."""
_DECISIVE: Final = 5

_NOTES: Final = {
    "standings": (
        "mbb/h = thousandths of a bb per hand, with its 95% interval over n independent units. These are drawn again "
        "with replacement: P(1st) is the share of draws in which the player leads (?: fewer than 10 units); 95% of the "
        "draws give a rank in `ranks`. Run-off: place if the lowest is dropped round by round. Without one: best and "
        "worst rank when one opponent is left out. Lines with ! give reasons to doubt the order. "
        "Definitions: docs/standings.md"
    ),
    "crosstable": (
        "What the row won in matches with the column, in mbb/h ± half of its 95% interval; * the interval excludes an "
        "even result: 0, or half of what both won together where the game pays chips that nobody put in. P: the "
        "chance that the row has more total bankroll than the column (?: fewer than 10 units). "
        f"Faint: fewer than {FEW} units."
    ),
    "adjusted": (
        "All-ins settled: what chips in an all-in pot were worth by equity; chance-adjusted: the other cards "
        "too. mbb/h with 95% intervals; places by total. Definitions: docs/luck.md"
    ),
    "run-off": "Chips won among those still in; the 95% interval is over draws with these survivors.",
}

_OVER: Final = (
    "After round {} a player left has no match with the others: the totals of this round place all."
)


_MOST_MOVES: Final = 6
"""So many changes of place are named in a sentence."""


class Shown(StrEnum):
    """The table that is printed as CSV or JSON."""

    STANDINGS = "standings"
    CROSSTABLE = "crosstable"
    RUN_OFF = "run-off"
    ADJUSTED = "adjusted"


def _thousandths(value: float | None) -> str:
    return "" if value is None else minus(f"{value:+,.0f}")


def _span(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{_thousandths(low)} to {_thousandths(high)}"


def _ranks(low: int | None, high: int | None) -> str:
    return "" if low is None or high is None else str(low) if low == high else f"{low}–{high}"


def _chance(row: dict[str, Any]) -> str:
    """P(first), with a question mark if there are too few resets."""
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
    minor = ("without one", "by wins", "wins", "run-off", "matches", "n")
    title = _title(competition, "Standings")
    return Answer(columns, rows, title, writers, lambda row: row[4] < FEW, minor=minor)


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


def adjusted_ranks(competition: "Competition", frame: "pl.DataFrame") -> "pl.DataFrame":
    """Rank and mbb/h of each player, as played and adjusted for luck, from the frame of `luck.winnings`."""
    import polars as pl

    mine = frame.filter(event=competition.event, game=competition.game)
    columns: list[pl.Expr] = [pl.col("player"), pl.col("namesake_seat").alias("seat"), pl.col("hands")]
    for name in luck.ESTIMATES:
        total = pl.col(name) * pl.col("hands")
        # Parts of a chip sum to other last bits in another order, and would break ties.
        columns.append(total.round(6).rank("min", descending=True).cast(pl.Int64).alias(f"{name}_rank"))
        columns += [
            (10 * pl.col(name + end)).alias(f"{name}_mbb_per_hand{end}") for end in ("", "_low", "_high")
        ]
    return mine.select(columns).sort("delta_rank", "player")


def _adjusted_table(competition: "Competition", frame: "pl.DataFrame") -> Answer:
    columns = ["rank", "player", "hands", "mbb/h", "all-ins settled", "95%, settled", "rank, settled"]
    columns += ["chance-adjusted", "95%, adjusted", "rank, adjusted"]
    rows = []
    moves = []
    for row in frame.iter_rows(named=True):
        name = name_of(row["player"], row["seat"])
        line = [row["delta_rank"], name, row["hands"], row["delta_mbb_per_hand"]]
        for estimate in ("all_in_adjusted", "chance_adjusted"):
            value = f"{estimate}_mbb_per_hand"
            line += [row[value], _span(row[value + "_low"], row[value + "_high"]), row[f"{estimate}_rank"]]
        if row["all_in_adjusted_rank"] != row["delta_rank"]:
            moves.append(f"{name} {row['delta_rank']} to {row['all_in_adjusted_rank']}")
        rows.append(line)
    said = (
        f"With all-ins settled by equity {len(moves)} of {len(rows)} places change: {', '.join(moves[:_MOST_MOVES])}"
        f"{' and others' * (len(moves) > _MOST_MOVES)}."
        if moves
        else "With all-ins settled by equity no place changes."
    )
    writers: dict[str, Callable[[Any], str]] = {
        "hands": terminal.chips,
        "mbb/h": _thousandths,
        "all-ins settled": _thousandths,
        "chance-adjusted": _thousandths,
        "95%, settled": str,
        "95%, adjusted": str,
    }
    title = _title(competition, "Standings adjusted for luck")
    minor = ("95%, settled", "rank, settled", "all-ins settled", "hands")
    return Answer(columns, rows, title, writers, notes=[printable(said)], minor=minor)


def cell_text(row: dict[str, Any]) -> str:
    """A cell of the crosstable: mbb/h ± half of the interval, a star if it leaves out `even`, P of more bankroll."""
    if row["mbb_per_hand"] is None:
        return "–"
    half = "" if row["low"] is None else f" ±{(row['high'] - row['low']) / 2:,.0f}"
    star = "*" if row["evidence"] == "strong" else ""
    chance = (
        "" if row["p_beats"] is None else f" P\N{NO-BREAK SPACE}{row['p_beats']:.2f}{_doubt(row, 'p_beats')}"
    )
    return f"{_thousandths(row['mbb_per_hand'])}{half}{star}{chance}"


def decisive_lines(competition: "Competition") -> list[str]:
    """A sentence for each pair whose matches decide who leads, the first few."""
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
    terminal.say(_NOTES[what])


def _rows(competitions: Sequence["Competition"], pick: Callable[["Competition"], "pl.DataFrame"]) -> Answer:
    """One table of all competitions, with event and game."""
    columns = list(pick(competitions[0]).columns)
    own = [name for name in columns if name not in ("event", "game", "lineup")]

    def lines() -> Iterator[tuple[Any, ...]]:
        for competition in competitions:
            for row in pick(competition).select(own).iter_rows():
                yield (competition.event, competition.game, *row)

    return Answer(["event", "game", *own], lines())


class Picture(NamedTuple):
    """A requested picture: its file, title and style."""

    path: Path
    title: str
    style: PlotStyle


def print_standings(
    store: "Store",
    event: str | None,
    shown: Sequence[Shown],
    draws: int,
    seed: int,
    form: Format,
    picture: Picture | None = None,
    game: str | None = None,
) -> None:
    """Print the competitions of a store; as CSV or JSON one table, its rows as `competition.Competition` has them.

    shown: what comes besides the standings; picture: of who beat whom. UserError if two tables would come out as one
    file, and where the store has no match of the event.
    """
    from ..analytics.standings import competitions

    if form is not Format.TABLE and len(shown) > 1:
        raise UserError(f"--format {form} prints one table: give --crosstable, --run-off or --adjusted")
    check_named(store, event, game)
    found = list(competitions(store, event, game, draws, seed))
    if not found:
        within = [
            f"{name} {value!r}" for name, value in (("event", event), ("game", game)) if value is not None
        ]
        raise UserError("no hands to rank" + (f" in {' and '.join(within)}" if within else ""))
    if picture:
        from .matrix_plot import save_matrix

        save_matrix(found, *picture)
    adjusted: dict[tuple[str, str], pl.DataFrame] = {}
    if Shown.ADJUSTED in shown:
        frame = luck.winnings(store)
        adjusted = {(each.event, each.game): adjusted_ranks(each, frame) for each in found}
    if form is not Format.TABLE:
        which = shown[0] if shown else Shown.STANDINGS
        picks: dict[Shown, Callable[[Competition], pl.DataFrame]] = {
            Shown.STANDINGS: lambda competition: competition.standings,
            Shown.CROSSTABLE: lambda competition: competition.crosstable,
            Shown.RUN_OFF: lambda competition: competition.run_off,
            Shown.ADJUSTED: lambda competition: adjusted[competition.event, competition.game],
        }
        terminal.write(_rows(found, picks[which]), form)
        return
    for competition in found:
        terminal.write(_standings(competition), form)
        if Shown.CROSSTABLE in shown:
            _draw_crosstable(competition)
        if Shown.RUN_OFF in shown:
            terminal.write(_run_off(competition), form)
        if Shown.ADJUSTED in shown:
            terminal.write(_adjusted_table(competition, adjusted[competition.event, competition.game]), form)
        for line in decisive_lines(competition):
            terminal.say(line, later="  ")
        for doubt in competition.doubts:
            terminal.say(doubt.text, "! ", "  ")
        print()
    _note("standings")
    for table in shown:
        _note(table)


_HEADS: Final = {"delta": "raw", "all_in_adjusted": "all-in-adjusted", "chance_adjusted": "chance-adjusted"}
_LUCK_NOTES: Final = (
    "bb per 100 hands ± half of the 95% interval, by chance-adjusted winnings. SD gone: the share of a hand's "
    "standard deviation that the chance adjustment removes; below 0 it adds noise. Clusters: the independent units "
    f"of the interval (hands; with bounties blocks of {ROUNDS_PER_BOUNTY} rounds; where all bet at once matches; in "
    f"duplicates the cards, which a tournament may deal again); faint: fewer than {FEW}. Definitions: docs/luck.md; "
    "slopes "
)


def _estimate(row: dict[str, Any], name: str) -> str:
    mean, high = row[name], row[f"{name}_high"]
    if mean is None or mean != mean:
        return ""
    return _figure(mean) if high is None else f"{_figure(mean)} ±{high - mean:,.1f}"


def _figure(value: float) -> str:
    return minus(f"{value:+,.1f}")


def _share(value: float | None) -> str:
    return "" if value is None or value != value else f"{minus(f'{100 * value:.0f}')}%"


def luck_rows(store: "Store", by: str, event: str | None = None, game: str | None = None) -> "pl.DataFrame":
    """`luck.winnings`, of an event and a game or of all."""
    check_named(store, event, game)
    frame = luck.winnings(store, by)
    for column, value in (("event", event), ("game", game)):
        if value is not None and len(frame):
            frame = frame.filter(frame[column] == value)
    return frame


def print_luck(
    store: "Store", by: Grouping, form: Format, event: str | None = None, game: str | None = None
) -> None:
    """Print the winnings, of an event and a game or of all; those of an event are adjusted as among all.

    As CSV or JSON one table with the ends of the intervals. UnknownPlayer for the event or game.
    """
    frame = luck_rows(store, by, event, game)
    if form is not Format.TABLE:
        terminal.write(terminal.composed(frame.columns, frame.rows()), form)
        return
    if not len(frame):
        raise UserError("nothing to show: the store has no hands")
    tables = list(luck_tables(frame, by))
    if by is Grouping.MATCH:
        tables = numbered_together(
            store, [(table, [(row[0], None) for row in table.rows]) for table in tables]
        )
    for table in tables:
        terminal.write(table)
    terminal.say(f"{_LUCK_NOTES}{frame['slopes'][0]}")
    if raw := [game for game in frame["game"].unique().sort() if not is_counted(rules_of(store, game))]:
        print(printable(f"Not adjusted, because the cards to come are not counted: {', '.join(raw)}"))


def luck_tables(frame: "pl.DataFrame", by: Grouping) -> Iterator[Answer]:
    """One table for each event and game, from the frame of `luck.winnings`."""
    keys = [name for name in luck.GROUPINGS[by] if name not in ("event", "game", "namesake_seat")]
    heads = _HEADS
    # Few logs print luck-adjusted results.
    if luck.PUBLISHED in frame.columns and frame[luck.PUBLISHED].is_not_null().any():
        heads = {**_HEADS, luck.PUBLISHED: "published", "published_hands": "n"}
    head = (*keys, "hands", "clusters", *heads.values(), "SD gone")
    few = head.index("clusters")

    def place(row: dict[str, Any]) -> tuple[str, str]:
        return row["event"], row["game"]

    for (event, game), group in groupby(frame.iter_rows(named=True), place):
        rows = [
            (
                *(
                    name_of(row[key], row.get("namesake_seat")) if key == "player" else row[key]
                    for key in keys
                ),
                row["hands"],
                row["clusters"],
                *(_estimate(row, name) if f"{name}_high" in row else row[name] for name in heads),
                _share(row["sd_removed"]),
            )
            for row in group
        ]
        counts = dict.fromkeys(("hands", "clusters", "n"), chips)
        title = printable(f"{game}, event {event}")
        minor = (heads["all_in_adjusted"], "seat", "SD gone", "clusters", "hands")
        yield Answer(head, rows, title, counts, faint=lambda row: row[few] < FEW, minor=minor)


_RESULTS: Final = """
    from results r join matches m using (match_id) left join files f using (file_id)
    where among(r.match_id, $ids) order by r.event, f.path, m.match_no, r.match_id, r.seat
"""
RESULTS: Final = f"select r.*, f.path {_RESULTS}"
"""The query of the results of some matches, $ids."""


def results(
    store: "Store",
    text: str | None,
    form: Format,
    event: str | None = None,
    game: str | None = None,
    player: str | None = None,
) -> Answer:
    """Results, one row for each match and player, of an event, a game or a player's matches.

    A terminal table has fewer columns.

    "against rules", there where it is not all the same, is what a player got beyond what the written rules pay.
    """
    matches = chosen_matches(store, text, event, game, player)
    chosen = ids(matches)
    if form is not Format.TABLE:
        return answer(store, RESULTS, ids=chosen)
    found = store.execute(
        "select r.match_id, f.path, r.seat, r.hands, r.delta, r.delta - r.delta_written, "
        "r.bb_per_100, r.bb_per_100_low, r.bb_per_100_high " + _RESULTS,
        ids=chosen,
    ).fetchall()
    curves = _curves(store, chosen)
    labels = {match.match_id: match.labels for match in matches}
    names = _file_names(store, matches)
    rows = [
        (
            *(
                names[row[0]],
                labels[row[0]][row[2]],
                *row[3:5],
                curves.get((row[0], row[2]), ""),
            ),
            *(*row[5:7], _whole_span(row[7], row[8])),
        )
        for row in found
    ]
    columns = ["match", "player", "hands", "chips", "bankroll", "against rules"]
    columns += ["bb/100", "95% interval"]
    if all(row[5] == 0 for row in rows):
        columns.remove("against rules")
        rows = [(*row[:5], *row[6:]) for row in rows]
    writers: dict[str, Callable[[Any], str]] = {
        "hands": terminal.chips,
        "chips": signed,
        "against rules": _or_same,
        "bb/100": terminal.rate,
        "95% interval": str,
    }
    gaps = store.execute(
        "select is_whole, count(distinct match_id) from final_gaps where among(match_id, $ids) group by 1",
        ids=chosen,
    ).fetchall()
    title = "Results"
    for is_whole, count in sorted(gaps):
        why = "though no hand is missing" if is_whole else "because awards of hands are missing"
        title += f"; the final lines of {terminal.counted(count, 'match')} differ, {why} (view final_gaps)"
    made = Answer(columns, rows, title, writers, minor=("bankroll", "hands"))
    return numbered(store, made, [(row[0], None) for row in found])


def _file_names(store: "Store", matches: Sequence[MatchName]) -> dict[int, str]:
    """For each match the name of its file; with what the id begins where another match has that name too."""
    every = all_matches(store)
    files, short = Counter(match.file for match in every), short_names(every)
    return {
        match.match_id: match.file
        if match.file and files[match.file] == 1
        else f"{short[match.match_id]} {match.file}".rstrip()
        for match in matches
    }


def _curves(store: "Store", matches: Sequence[int]) -> dict[tuple[int, int], str]:
    """The bankroll by match_id and seat as a line of about `_BLOCKS` blocks."""
    rows = store.execute(
        "select c.match_id, c.seat, list(c.bankroll order by c.hand_index) filter (where c.bankroll is not null)"
        " from bankroll_curve c join matches m using (match_id)"
        " where among(c.match_id, $ids) and (c.hand_index + 1) % greatest(m.hands // $blocks, 1) = 0"
        " group by all",
        ids=list(matches),
        blocks=_BLOCKS,
    ).fetchall()
    return {(match, seat): sparkline(values, _BLOCKS) for match, seat, values in rows}


def _whole_span(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{minus(f'{low:+,.0f}')} to {minus(f'{high:+,.0f}')}"


def _or_same(value: float | None) -> str:
    return "?" if value is None else signed(value) if value else "="
