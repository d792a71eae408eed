"""The tables of `railbird stats`: the overview of tendencies, and those of `--show`, each with n and intervals."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from ..analytics.players import all_rules, check_named, check_player
from ..analytics.settings import FEW
from ..analytics.steadiness import LEAST, SHUFFLES
from ..variants.properties import Properties
from . import Format, Show, UserError, terminal
from .matches import MatchName, latest, name_of, rows_of
from .replayer import street_name
from .stats_tables import BOTH, SLOW_CHIPS, TABLES, WHO, Table
from .table_sentences import SAID
from .terminal import Answer, chance, chips, interval, percent, printable

if TYPE_CHECKING:
    import polars as pl

    from ..analytics.store import Store

ABREAST: Final = 4
"""The most players side by side: as many as fit without broken cells."""
_NAME_CELLS, _RATE_CELLS = 16, 23
"""Cells of a terminal that the names of statistics take, and a rate with its interval and n."""


def long_query(by_opponent: bool, before_lock: bool = False) -> str:
    """The query of every statistic in long form; its parameters `player`, `event` and `game` may be null.

    before_lock: without the hands after the lock point
    """
    view = "all_rates" + "_by_opponent" * by_opponent + "_before_lock" * before_lock
    return (
        f"select * from {view} where ($player is null or player = $player) and ($event is null or event = $event) "
        "and ($game is null or game = $game) "
        f"order by event, game, player, seat, {'opponent, ' * by_opponent}place"
    )


def who(row: dict[str, Any]) -> str:
    """The heading of a player's column: name, the seat if a match has the name twice, the opponent."""
    seat = "" if row["seat"] is None else f" (seat {row['seat']})"
    opponent = f" v {row['opponent']}" if row.get("opponent") is not None else ""
    return f"{row['player']}{seat}{opponent}"


def cell(row: dict[str, Any] | None) -> str:
    """Rate, interval and n of a statistic; only n if it is 0."""
    if row is None or not row["opportunities"]:
        return "n 0"
    low, high = 100 * row["low"], 100 * row["high"]
    return f"{100 * row['rate']:5.1f}%  {low:3.0f}–{high:<3.0f}  n {row['opportunities']:>5,}"


Grid = list[list[dict[str, Any] | None]]


def _tables(rows: Sequence[dict[str, Any]], abreast: int) -> Iterator[tuple[str, list[str], Grid, list[str]]]:
    for (event, game), group in groupby(rows, key=lambda row: (row["event"], row["game"])):
        listed = list(group)
        labels = list(dict.fromkeys(row["label"] for row in sorted(listed, key=lambda row: row["place"])))
        people = list(dict.fromkeys(who(row) for row in listed))
        cells = {(who(row), row["label"]): row for row in listed}
        for start in range(0, len(people), abreast):
            some = people[start : start + abreast]
            grid = [[cells.get((person, label)) for person in some] for label in labels]
            yield f"{game}, event {event}", some, grid, labels


class NothingToShow(UserError):
    """A table has no row; the message says why."""


def check_names(store: "Store", player: str | None, event: str | None, game: str | None) -> None:
    """UnknownPlayer if the store does not have one of these; None for any."""
    check_named(store, event, game)
    if player is not None:
        check_player(store, player, event)


@contextmanager
def latest_named(
    store: "Store", most: int | None, player: str | None, event: str | None, game: str | None
) -> "Iterator[Store]":
    """The store, or the last matches of each event and game (of the player), once the names were checked."""
    check_names(store, player, event, game)

    def is_asked(match: MatchName) -> bool:
        return (
            player in (None, *match.players) and event in (None, match.event) and game in (None, match.game)
        )

    with latest(store, most, is_asked) as opened:
        yield opened


def print_every(
    store: "Store",
    player: str | None,
    by_opponent: bool,
    form: Format,
    before_lock: bool = False,
    event: str | None = None,
    game: str | None = None,
) -> None:
    """Print all tables that have rows; as JSON, an object with the rows of each table by the name that --show takes.

    Tables whose view lacks a requested suffix are left out. Errors as of `print_stats`, NothingToShow if no table has a
    row, and UserError for CSV, which holds one table.
    """
    if form is Format.CSV:
        raise UserError("--all: CSV holds one table; choose one with --show, or --format json")
    check_names(store, player, event, game)
    asked = set(_asked(by_opponent, before_lock))
    tables = [show for show in Show if asked <= _suffixes(show)]
    if form is Format.JSON:
        for place, show in enumerate(tables):
            print("," if place else "{", f'"{show}": ', sep="\n", end="")
            print_stats(store, player, by_opponent, form, show, before_lock, event, game)
        print("}")
        return
    nothing: NothingToShow | None = None
    printed = 0
    for show in tables:
        try:
            print_stats(store, player, by_opponent, form, show, before_lock, event, game)
        except NothingToShow as error:
            nothing = nothing or error
        else:
            printed += 1
            print()
    if nothing and not printed:
        raise nothing


def print_stats(
    store: "Store",
    player: str | None,
    by_opponent: bool,
    form: Format,
    show: Show = Show.OVERVIEW,
    before_lock: bool = False,
    event: str | None = None,
    game: str | None = None,
) -> None:
    """Print how players play; as CSV or JSON, one row for each statistic.

    UnknownPlayer if no player has the name; NothingToShow if the table has no row.
    """
    check_names(store, player, event, game)
    if show is not Show.OVERVIEW:
        print_table(store, show, player, by_opponent, before_lock, form, event, game)
        return
    if form is not Format.TABLE:
        query = rows_query(show, by_opponent, before_lock)
        terminal.write(terminal.answer(store, query, player=player, event=event, game=game), form)
        return
    from rich.text import Text

    from .terminal import Column, lay_out

    out = terminal.console()
    rows = rows_of(store, long_query(by_opponent, before_lock), player=player, event=event, game=game)
    if not rows:
        raise NothingToShow(
            f"nothing to show: {ALL_LOCKED if before_lock else 'no decisions in these hands'}"
        )
    said = [
        {
            **{name: row.get(name) for name in ("event", "game", "opponent", "rate")},
            "player": name_of(row["player"], row["seat"]),
            "statistic": row["label"],
            "n": row["opportunities"],
            "95% interval": (row["low"], row["high"]),
        }
        for row in rows
    ]
    _say(show, said)
    abreast = max(1, min(ABREAST, (out.width - _NAME_CELLS) // _RATE_CELLS))
    for title, people, grid, labels in _tables(rows, abreast):
        columns = [Column(Text("statistic"), [Text(label) for label in labels])]
        for place, person in enumerate(people):
            rows_of_one = [line[place] for line in grid]
            few = [row is None or row["opportunities"] < FEW for row in rows_of_one]
            cells = [
                Text(cell(row), style="dim" if faint else "")
                for row, faint in zip(rows_of_one, few, strict=True)
            ]
            columns.append(Column(Text(printable(person)), cells, "right"))
        out.print(lay_out(columns, out.width, printable(title)))
    left_out = " Hands after the lock point are left out." if before_lock else ""
    terminal.say(
        f"Rate, 95% Wilson interval, n = opportunities; faint below n = {FEW}. Own choices only.{left_out}"
    )
    terminal.say("Folds are those facing a bet (preflop also the blind), by street and position.")
    terminal.say("Definitions: select * from statistics")


ALL_LOCKED: Final = "--before-lock leaves out every hand that counts"


def _asked(by_opponent: bool, before_lock: bool) -> list[str]:
    """The requested suffixes of views."""
    return ["by_opponent"] * by_opponent + ["before_lock"] * before_lock


def _suffixes(show: Show) -> frozenset[str]:
    """The suffixes that the view of a table may have."""
    if show is Show.OVERVIEW:
        return BOTH
    return frozenset() if show in STEADINESS else TABLES[show].suffixes


def _named(show: Show, by_opponent: bool, before_lock: bool) -> tuple[str, str]:
    """The view of a table of `TABLES`, and the query of its rows from `from` on; UserError if it lacks a suffix."""
    table, asked = TABLES[show], _asked(by_opponent, before_lock)
    for word in asked:
        if word not in table.suffixes:
            raise UserError(f"--show {show} has no --{word.replace('_', '-')}")
    view = "_".join([table.view, *asked])
    games = "v.game = $game"
    if table.about and "game" not in table.columns:
        # The view has no such column: all its rows are of the games that the table is about.
        games = f"$game in (select game from games where {table.about[1]})"
    return view, (
        f"from {view} as v where {table.where} and ($player is null or v.player = $player) "
        f"and ($event is null or v.event = $event) and ($game is null or {games}) "
        f"order by {table.order}"
    )


def rows_query(show: Show, by_opponent: bool, before_lock: bool) -> str:
    """The query of a table as programs read it, but for same-state and drift; parameters as of `long_query`."""
    if show is Show.OVERVIEW:
        return f"select * exclude (place) from ({long_query(by_opponent, before_lock)})"
    return f"select v.* {_named(show, by_opponent, before_lock)[1]}"


def print_table(
    store: "Store",
    show: Show,
    player: str | None,
    by_opponent: bool,
    before_lock: bool,
    form: Format,
    event: str | None = None,
    game: str | None = None,
) -> None:
    """Print a table of `TABLES`, or an estimator's; UserError if its view lacks a suffix, or has no row."""
    if show in STEADINESS:
        check_alone(show, by_opponent, before_lock)
        print_steadiness(store, show, player, event, form, game)
        return
    table = TABLES[show]
    view, named = _named(show, by_opponent, before_lock)
    asked = _asked(by_opponent, before_lock)
    if form is not Format.TABLE:
        query = rows_query(show, by_opponent, before_lock)
        terminal.write(terminal.answer(store, query, player=player, event=event, game=game), form)
        return
    parts = [table, table.then] if table.then else [table]
    listed = {heading: sql for part in parts for heading, sql in _columns(part, by_opponent).items()}
    selected = ", ".join(f'{sql} as "{heading}"' for heading, sql in listed.items())
    at = list(listed).index("player")
    found = [
        (*row[:at], name_of(row[at], seat), *row[at + 1 :])
        for *row, seat in store.execute(
            f"select {selected}, v.seat {named}", player=player, event=event, game=game
        ).fetchall()
    ]
    if not found:
        raise NothingToShow(f"nothing to show: {_why(store, show, player, event, game, asked)}")
    names = len({row[at] for row in found})
    if len(found) > MANY and names > 1:
        # Before the table, because its end may be out of sight.
        terminal.say(f"{len(found):,} rows of {names} players; --player NAME shows one player's.")
    records = [dict(zip(listed, row, strict=True)) for row in found]
    _say(show, records)
    for part in parts:
        # Of a second table only the rows that have cases.
        rows = records if part is table else [row for row in records if row[part.count]]
        if rows:
            terminal.write(_drawn(part, _columns(part, by_opponent), rows), form)
    terminal.say(
        f"{table.counts}; 95% intervals; faint below n = {FEW}. Definitions: docs/statistics.md, {view}"
    )


def _columns(table: Table, by_opponent: bool) -> dict[str, str]:
    """The columns of a table, with the opponent behind the player if it is requested."""
    columns = dict(table.columns)
    if not by_opponent:
        return columns
    place = list(columns).index("player") + 1
    items = list(columns.items())
    return dict([*items[:place], ("opponent", "opponent"), *items[place:]])


def _drawn(table: Table, columns: Mapping[str, str], records: Sequence[Mapping[str, Any]]) -> Answer:
    """The rows of a table for a terminal."""
    count = list(columns).index(table.count)
    # Words that all rows have go before figures.
    said = ("game", "event", "player", "street", "kind")
    minor = (*terminal.alike(records, [name for name in said if name in columns]), *table.minor)
    rows = [tuple(record[name] for name in columns) for record in records]
    writers = _writers(table, columns)
    return Answer(list(columns), rows, table.title, writers, lambda row: row[count] < FEW, minor=minor)


def _say(show: Show, records: Sequence[Mapping[str, Any]]) -> None:
    """Print the sentences of a table, for rows by its headings."""
    for line in SAID[show](records):
        terminal.say(printable(line), later="  ")


MANY: Final = 200
"""Rows of a table that has more are too many to read at once."""
RATES_OF_GAMES: Final = (
    Show.BIDS,
    Show.EXCHANGES,
    Show.DISCARDS,
    Show.PERMUTED,
    Show.BOUNTY,
    Show.SHIFT,
    Show.RUN,
    Show.ALLOCATION,
    Show.TRIGGERS,
    Show.CLAIMS,
)
"""The tables of what makes the game: pages and `opponent` have them, too."""


@dataclass(frozen=True)
class GameRates:
    """A player's rows of a table of what makes the game, without the columns of who it is; said: its sentences."""

    show: Show
    table: Answer
    said: list[str]


def game_rates(
    store: "Store", player: str | None = None, event: str | None = None
) -> Iterator[tuple[tuple[str, str, str, int | None], GameRates]]:
    """The rows of a player in each table of `RATES_OF_GAMES` that the games have, by event, game, player and seat.

    player, event  only of them
    """
    from .why import shortened

    for show in RATES_OF_GAMES:
        table = TABLES[show]
        condition = f"from games where {table.about[1]}" if table.about else "from stored.notes"
        if not store.execute(f"select 1 {condition} limit 1").fetchall():
            continue
        columns = {heading: sql for heading, sql in table.columns.items() if heading not in WHO}
        listed = ", ".join(f'{sql} as "{heading}"' for heading, sql in columns.items())
        game = "v.game"
        if table.about and "game" not in table.columns:
            game = (
                f"(select min(game) from players where event = v.event and player = v.player and game in "
                f"(select game {condition}))"
            )
        _, named = _named(show, False, False)
        rows = store.execute(
            f"select v.event, {game}, v.player, v.seat, {listed} {named}",
            player=player,
            event=event,
            game=None,
        ).fetchall()
        count, writers = list(columns).index("n"), _writers(table, columns)

        def is_few(row: Sequence[Any], count: int = count) -> bool:
            return bool(row[count] < FEW)

        for who, own in groupby(rows, lambda row: row[:4]):
            mine = [row[4:] for row in own]
            called = {"event": who[0], "game": who[1], "player": name_of(shortened(who[2]), who[3])}
            said = [*SAID[show]([called | dict(zip(columns, row, strict=True)) for row in mine])]
            answer = Answer(list(columns), mine, table.title, writers, is_few, minor=table.minor)
            yield who, GameRates(show, answer, said)


def _why(
    store: "Store",
    show: Show,
    player: str | None,
    event: str | None,
    game: str | None,
    asked: list[str],
) -> str:
    """The reason that a table has no row."""
    table = TABLES[show]
    games = [game for (game,) in store.execute("select distinct game from matches order by game").fetchall()]
    if not games:
        return "the store has no matches"
    if table.about:
        what, condition = table.about
        if not store.execute(f"select 1 from games where {condition} limit 1").fetchall():
            return f"--show {show} is only for {what}; the store has {', '.join(games)}"

    def rows(view: str, **chosen: str | None) -> int:
        named = " and ".join(f"(${what} is null or {what} = ${what})" for what in chosen) or "true"
        counted = store.sql(f"select count(*) from {view} where {named}", **chosen)
        return int(counted.fetchall()[0][0])

    chosen = {"player": player, "event": event} | ({"game": game} if "game" in table.columns else {})
    if "before_lock" in asked and rows(table.view, **chosen):
        return ALL_LOCKED
    if rows(table.view):
        words = {"the player": player, "the event": event, "the game": game}
        whom = " and ".join(f"{what} {said!r}" for what, said in words.items() if said is not None)
        return f"--show {show} has no rows for {whom}, only for others"
    return table.lacking or f"no hand in the store counts for --show {show}"


_SHARES: Final = {
    "noted on average",
    "won",
    "against held",
    "off by",
    "against unseen",
    "rate",
    "MDF",
    "mean size",
    "hit",
    "hit when winning",
    "live",
    "else",
    "shift",
    "of bank",
    "P(larger)",
    "plays on",
    "value size",
    "bluff size",
}


def _writers(table: Table, columns: Mapping[str, str]) -> dict[str, Callable[[Any], str]]:
    found: dict[str, Callable[[Any], str]] = {}
    for heading, sql in columns.items():
        if heading in table.seconds:
            found[heading] = _second_ends if sql.startswith("[") else _seconds
        elif heading.endswith("bits"):
            found[heading] = _ends if sql.startswith("[") else _figure
        elif sql.startswith("["):
            chips = _rate_ends if heading in _WON_RATES else _chip_ends
            found[heading] = chips if heading in table.chips else _share_ends
        elif heading in _SHARES:
            found[heading] = percent
        elif heading in table.chips:
            won = terminal.signed if heading in _WON else terminal.chips
            found[heading] = terminal.rate if heading in _WON_RATES else won
        elif heading in _COUNTS:
            found[heading] = terminal.chips
    return found


_COUNTS: Final = frozenset(("n", "n live", "n slow", "n others", "hands", "matches", "wins", "wrong", "bets"))
"""Headings of counts: thousands are marked."""
_WON: Final = frozenset(("chips", "showdown", "non-showdown"))
"""Headings of chips won, which have a sign; those of what is won in some hands, and of its intervals."""
_WON_RATES: Final = frozenset(("bb/100", "95%, bb/100", "of all, bb/100", "mbb/h")) | SLOW_CHIPS


def _rate_ends(ends: list[float | None]) -> str:
    low, high = ends
    return "" if low is None or high is None else f"{terminal.rate(low)} to {terminal.rate(high)}"


def _seconds(value: float | None) -> str:
    return "" if value is None else terminal.digits(value)


def _second_ends(ends: list[float | None]) -> str:
    low, high = ends
    return "" if low is None or high is None else f"{_seconds(low)} to {_seconds(high)}"


def _chip_ends(ends: list[float | None]) -> str:
    low, high = ends
    return "" if low is None or high is None else f"{terminal.chips(low)} to {terminal.chips(high)}"


def _share_ends(ends: list[float | None]) -> str:
    return interval(ends[0], ends[1])


def _ends(ends: list[float | None]) -> str:
    low, high = ends
    return "" if low is None or high is None else f"{_figure(low)} to {_figure(high)}"


def _figure(value: float | None) -> str:
    """A number with four digits, like the ends of its interval."""
    return "" if value is None else terminal.minus(terminal.digits(value, 4))


_NOTES: Final = {
    Show.SAME: (
        "A state is what the player knew of the hand: position, own cards and board up to a renaming of suits, every "
        "action so far, with bounties the own rank. Pairs: any two decisions of the player in one state; equal: pairs "
        "with the same action; rate = equal / pairs, with its 95% interval over states; always: states in which the "
        f"player took the same action every time; faint below {FEW} pairs. Definitions: docs/definitions.md, same state"
    ),
    Show.DRIFT: (
        "Halves of the match's hands up to the lock point; diff. = second − first, its 95% interval over hands "
        f"(with bounties over blocks). p: the share of {SHUFFLES} shuffles of the hands whose halves differ as much. "
        "Change hand: where the rate most likely changes; change p: the share of shuffles with as large a change. "
        f"n = opportunities. Own choices only; faint below n = {FEW}. Definitions: docs/definitions.md, drift"
    ),
}
_WHY: Final = {
    Show.SAME: (
        "no player chose twice in the same state; left out: games whose cards change, with several boards, or in "
        "which all bet at once"
    ),
    Show.DRIFT: (
        f"in no match has a player {LEAST} opportunities of one statistic; left out: games in which all bet at once"
    ),
}
TITLES: Final = {
    Show.SAME: "Does a player repeat its action in the same state?",
    Show.DRIFT: "First half against second half, and the likeliest change; one p in 20 is below 0.05 by chance",
}


STEADINESS: Final = (Show.SAME, Show.DRIFT)
"""The tables that an estimator makes, not a view."""


def check_alone(show: Show, by_opponent: bool, before_lock: bool) -> None:
    """UserError if a table of STEADINESS is requested with a suffix."""
    if by_opponent or before_lock:
        raise UserError(f"--show {show} has neither --by-opponent nor --before-lock")


def steadiness(
    store: "Store", show: Show, player: str | None, event: str | None, game: str | None = None
) -> "pl.DataFrame":
    """The rows of a table of STEADINESS."""
    from ..analytics.steadiness import determinism, drift

    frame = (determinism if show is Show.SAME else drift)(store, player)
    chosen = {"event": event, "game": game}
    return frame.filter(**{name: value for name, value in chosen.items() if value is not None})


def print_steadiness(
    store: "Store",
    show: Show,
    player: str | None,
    event: str | None,
    form: Format,
    game: str | None = None,
) -> None:
    """Print determinism or drift, as tables or as CSV or JSON; NothingToShow if a table has no row."""
    frame = steadiness(store, show, player, event, game)
    if form is not Format.TABLE:
        terminal.write(terminal.composed(frame.columns, frame.rows()), form)
        return
    if not frame.height:
        raise NothingToShow(f"nothing to show: {_WHY[show]}")
    labels = dict(store.execute("select statistic, label from statistics").fetchall())
    rules = all_rules(store)
    _say(show, _repeats(frame, rules) if show is Show.SAME else _changes(frame, labels))
    terminal.say(TITLES[show])
    for table in _same(frame, rules) if show is Show.SAME else _drift(frame, labels):
        terminal.write(table)
    terminal.say(_NOTES[show])


def _repeats(frame: "pl.DataFrame", rules: Mapping[str, Properties]) -> list[dict[str, Any]]:
    """What the sentences of determinism are made of."""
    return [
        {
            **row,
            "player": name_of(row["player"], row["seat"]),
            "street": street_name(rules[row["game"]], row["street"]),
            "n": row["pairs"],
            "95% interval": (row["low"], row["high"]),
        }
        for row in frame.iter_rows(named=True)
    ]


def _changes(frame: "pl.DataFrame", labels: Mapping[str, str]) -> list[dict[str, Any]]:
    """What the sentences of drift are made of."""
    return [
        {
            **row,
            "match": row["match_id"],
            "statistic": labels.get(row["statistic"], row["statistic"]),
            "n": row["opportunities"],
            "95%": (row["low"], row["high"]),
        }
        for row in frame.iter_rows(named=True)
    ]


def _same(frame: "pl.DataFrame", rules: Mapping[str, Properties]) -> Iterator[Answer]:
    """One table for each event and game."""
    columns = ("player", "street", "states", "decisions", "pairs", "equal", "rate", "95%", "always")
    counts: dict[str, Callable[[Any], str]] = dict.fromkeys(("states", "decisions", "pairs", "equal"), chips)
    few = columns.index("pairs")

    def place(row: dict[str, Any]) -> tuple[str, str]:
        return row["game"], row["event"]

    for (game, event), group in groupby(frame.iter_rows(named=True), place):
        rows = [
            (
                name_of(row["player"], row["seat"]),
                street_name(rules[game], row["street"]),
                *(row[name] for name in ("states", "decisions", "pairs", "equal", "rate")),
                interval(row["low"], row["high"]),
                row["always"],
            )
            for row in group
        ]
        title = printable(f"{game}, event {event}")
        yield Answer(columns, rows, title, {**counts, "rate": percent}, lambda row: row[few] < FEW)


def _drift(frame: "pl.DataFrame", labels: dict[str, str]) -> Iterator[Answer]:
    """One table for each match and player. labels: the name of each statistic."""
    shares = ("first", "second", "diff.", "before", "after")
    columns = (
        "statistic", "n", "first", "second", "diff.", "95%", "p", "change hand", "before", "after", "change p",
    )  # fmt: skip
    writers: dict[str, Callable[[Any], str]] = {
        **dict.fromkeys(shares, percent),
        **dict.fromkeys(("p", "change p"), chance),
        "n": chips,
    }
    few = columns.index("n")

    def place(row: dict[str, Any]) -> tuple[Any, ...]:
        return row["player"], row["seat"], row["match_id"], row["game"], row["event"]

    for (player, seat, match, game, event), group in groupby(frame.iter_rows(named=True), place):
        rows = [
            (
                labels.get(row["statistic"], row["statistic"]),
                row["opportunities"],
                *(row[name] for name in ("first", "second", "difference")),
                interval(row["low"], row["high"]),
                *(row[name] for name in ("p", "change_hand", "before", "after", "change_p")),
            )
            for row in group
        ]
        title = printable(f"{player}, seat {seat} of match {match} ({game}, event {event})")
        yield Answer(columns, rows, title, writers, lambda row: row[few] < FEW)
