"""The tables of `railbird stats`: the overview of tendencies, and those of `--show`, each with n and intervals."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from ..analytics.players import all_rules, check_named, check_player
from ..analytics.settings import FEW
from ..analytics.steadiness import LEAST, SHUFFLES
from ..variants.properties import Properties
from . import Format, Show, UserError, terminal
from .matches import MatchName, latest, name_of, rows_of
from .replayer import street_name
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


_WHO: Final = {"event": "event", "game": "game", "player": "player"}
_RATE: Final = {"n": "opportunities", "rate": "rate", "95% interval": "[low, high]"}


@dataclass(frozen=True)
class Table:
    """A view as a terminal table; the SQL calls the view v.

    columns   the heading and the SQL of each; a list of two is an interval. The seat follows a name of two players
    order     of the rows, after event, game and player
    suffixes  of its view that may be requested
    chips     headings that are no shares
    counts    whose decisions are counted
    where     which rows of the view
    minor     headings that a narrow terminal leaves out first, behind game, event and player that all rows have
    lacking   what a store has none of where the table has no row, where that is another thing than hands
    about     the games that it is about, and the condition on their properties (relation `games`); none: all
    seconds   headings of seconds, and of intervals of them
    count     the heading of n, by which a row is faint
    then      a second table of the same rows, under the first; its order, suffixes and the like do not count
    """

    title: str
    view: str
    columns: Mapping[str, str]
    order: str = "all"
    suffixes: frozenset[str] = frozenset()
    chips: frozenset[str] = field(default_factory=frozenset)
    counts: str = "Own choices only"
    about: tuple[str, str] | None = None
    where: str = "true"
    minor: tuple[str, ...] = ()
    lacking: str = ""
    seconds: frozenset[str] = frozenset()
    then: "Table | None" = None
    count: str = "n"


ALL_LOCKED: Final = "--before-lock leaves out every hand that counts"
_BOTH: Final = frozenset(("by_opponent", "before_lock"))
_OPPONENT: Final = frozenset(("by_opponent",))
_ALL_HANDS: Final = "All hands, whoever acted"
_STREET: Final = {"street": "street_name(street, game)"}
_LABEL: Final = "(select label from {} as k where k.statistic = v.statistic)"
_PLACE: Final = _LABEL.replace("label", "place")
_PART: Final = {
    "n": "hands", "chips": "delta", "bb/100": "bb_per_100", "95%, bb/100": "[bb_per_100_low, bb_per_100_high]",
    "of all, bb/100": "bb_of_all",
}  # fmt: skip
_PART_CHIPS: Final = frozenset(("chips", "bb/100", "95%, bb/100", "of all, bb/100"))
_SLOW_CHIPS: Final = frozenset(
    ("slow, bb/100", "95%, slow", "others, bb/100", "95%, others", "slow − others", "95%, difference")
)
_BOUNTIES: Final = "games with bounties", "bounties"
_BOARDS: Final = "games with several boards", "boards > 1"
_AT_ONCE: Final = "games in which all bet at once", "simultaneous"
_ORDERED: Final = "v.event, v.game, v.player, v.seat, v.street"

TABLES: Final[Mapping[Show, Table]] = {
    Show.STREETS: Table(
        "Street by street",
        "street_tendencies",
        {**_WHO, **_STREET, "statistic": _LABEL.format("street_statistics"), **_RATE},
        f"{_ORDERED}, {_PLACE.format('street_statistics')}",
        _BOTH,
    ),
    Show.FACED: Table(
        "Answers to a bet, by its size; a player that folds more often than 1 − MDF can be bluffed at a profit",
        "bets_faced",
        {
            **_WHO, **_STREET, "position": "position", "size": "coalesce(size_name(size_bin), 'blinds')",
            "answer": "answer", **_RATE, "MDF": "mdf",
        },
        f"{_ORDERED}, position_place(v.position), v.size_bin, v.answer",
        _BOTH,
    ),
    Show.MADE: Table(
        "Sizes of bets and raises that a player chooses",
        "bets_made",
        {
            **_WHO, **_STREET, "position": "position", "action": "action", "size": "size_name(size_bin)",
            **_RATE, "mean size": "mean_size", "mean to, bb": "mean_to_bb",
        },
        f"{_ORDERED}, position_place(v.position), v.action, v.size_bin",
        _BOTH,
        frozenset(("mean to, bb",)),
    ),
    Show.WINNINGS: Table(
        "Winnings, luck included",
        "winnings",
        {
            **_WHO, "matches": "matches", "n": "hands", "chips": "delta", "showdown": "showdown",
            "non-showdown": "non_showdown", "bb/100": "bb_per_100", "95%, bb/100": "[bb_per_100_low, bb_per_100_high]",
            "mbb/h": "mbb_per_hand", "SD/100": "sd_per_100",
        },
        "event, game, player, seat",
        _OPPONENT,
        frozenset(("chips", "showdown", "non-showdown", "bb/100", "95%, bb/100", "mbb/h", "SD/100")),
        _ALL_HANDS,
        minor=("SD/100", "mbb/h", "matches"),
    ),
    Show.TELLS: Table(
        "Does the size of a bet tell the hand? P(a bet for value is larger than a bluff); 50%: it tells nothing",
        "size_tells",
        {
            **_WHO, **_STREET, "n": "bets", "for value": "bets_for_value", "bluffs": "bluffs", "P(larger)": "auc",
            "95% interval": "[low, high]", "value size": "value_size", "bluff size": "bluff_size",
        },
        _ORDERED,
        frozenset(("before_lock",)),
        counts="Own bets and raises whose cards are known",
    ),
    Show.RANGES: Table(
        "Hands played preflop, by position and by what is faced (1 the blinds, 2 a raise, 3 a re-raise ...)",
        "ranges",
        {
            **_WHO, "position": "position", "faced": "bet_level", "cards": "coalesce(hole_class, 'not seen')",
            "n": "decisions", "folds": "folds", "checks": "checks", "calls": "calls", "raises": "raises",
            "plays on": "continues", "95% interval": "[low, high]",
        },
        "event, game, player, seat, position_place(v.position), v.bet_level, v.continues desc, v.decisions desc",
        frozenset(("before_lock",)),
    ),
    Show.ACTIONS: Table(
        "What a player does on each street in each position",
        "action_rates",
        {**_WHO, **_STREET, "position": "position", "facing": "facing", "action": "action", **_RATE},
        f"{_ORDERED}, position_place(v.position), v.facing desc, "
        "list_position(['fold', 'check', 'call', 'bet', 'raise'], v.action)",
        _BOTH,
    ),
    Show.STRENGTH: Table(
        "How often each action with each strength (equity against an unseen hand)",
        "strength_rates",
        {
            **_WHO, **_STREET, "facing": "facing", "equity": "coalesce(tenth_name(decile - 1), 'not known')",
            "action": "if(facing = 'nothing' and action = 'raise', 'bet/raise', action)", **_RATE,
        },
        f"{_ORDERED}, list_position(['nothing', 'blind', 'bet'], v.facing), v.decile, "
        "list_position(['fold', 'check', 'call', 'raise'], v.action)",
        _BOTH,
        counts="Own choices only; view actions_by_strength has them by position and size faced",
        where="(facing <> 'nothing' or action <> 'fold' or successes > 0)",
    ),
    Show.WHERE: Table(
        "Where the chips come from, luck included; the rows of a part add up to all hands",
        "winnings_by_part",
        {**_WHO, "part": "part", "value": "coalesce(value, 'not seen')", **_PART},
        "v.event, v.game, v.player, v.seat, "
        "list_position(['position', 'seat', 'street', 'end', 'kind'], v.part), v.place",
        _OPPONENT,
        _PART_CHIPS,
        _ALL_HANDS,
        where="part <> 'hand'",
        minor=("of all, bb/100",),
    ),
    Show.HANDS: Table(
        "Winnings by starting hand, luck included",
        "winnings_by_part",
        {**_WHO, "cards": "coalesce(value, 'not seen')", **_PART},
        "v.event, v.game, v.player, v.seat, v.delta desc",
        _OPPONENT,
        _PART_CHIPS,
        _ALL_HANDS,
        where="part = 'hand'",
    ),
    Show.BOUNTY: Table(
        "Bounties: hits, and what they brought and cost",
        "bounty_hits",
        {
            **_WHO, "n": "hands", "hit": "hit_rate", "95% interval": "[hit_rate_low, hit_rate_high]", "wins": "wins",
            "hit when winning": "rate_when_winning",
            "its 95% interval": "[rate_when_winning_low, rate_when_winning_high]",
            "brought": "chips_brought", "cost": "chips_cost",
        },
        "event, game, player, seat",
        _OPPONENT,
        frozenset(("brought", "cost")),
        _ALL_HANDS,
        about=_BOUNTIES,
    ),
    Show.SHIFT: Table(
        "Play while a win would bring the own bounty (live), and otherwise (else)",
        "bounty_shift",
        {
            **_WHO, **_STREET, "answer": "answer", "n live": "live_opportunities", "live": "live_rate",
            "n": "opportunities", "else": "rate", "shift": "shift", "95% interval": "[shift_low, shift_high]",
        },
        f"{_ORDERED}, answer",
        _BOTH,
        about=_BOUNTIES,
    ),
    Show.RUN: Table(
        "River and run, by depth and by the chance that the next card is black",
        "run_tendencies",
        {
            **_WHO, "depth": "depth", "last card": "last_card", "black next": "tenth_name(black_bin)",
            "answer": "answer", **_RATE,
        },
        "event, game, player, seat, depth, last_card desc, black_bin, answer",
        _BOTH,
        about=("games with a run", "runs"),
    ),
    Show.BOARDS: Table(
        "Board by board",
        "blotto_tendencies",
        {"event": "event", "player": "player", "board": "board_no", "statistic": _LABEL.format("statistics"), **_RATE},
        f"event, player, seat, {_PLACE.format('statistics')}, board_no",
        _BOTH,
        about=_BOARDS,
    ),
    Show.ALLOCATION: Table(
        "Where the strongest pair goes",
        "blotto_allocation",
        {
            "event": "event", "player": "player", "board": "board_no", **_RATE, "Chen points": "points",
            "entropy, bits": "entropy", "95%, bits": "[entropy_low, entropy_high]",
        },
        "event, player, seat, board_no",
        _BOTH,
        frozenset(("Chen points", "entropy, bits", "95%, bits")),
        about=_BOARDS,
        minor=("Chen points",),
    ),
    Show.TRIGGERS: Table(
        "Facing a bet once the opponent is all-in on this board or another",
        "blotto_triggers",
        {"event": "event", "player": "player", "all-in": "trigger", "answer": "answer", **_RATE},
        "event, player, seat, trigger, answer",
        _BOTH,
        about=_BOARDS,
    ),
    Show.KOPER: Table(
        "All bet at once: bets, steps and caps, means over games",
        "koper_tendencies",
        {
            "event": "event", "player": "player", "mean of": "label", "matches": "matches", "n": "n", "mean": "mean",
            "95% interval": "[low, high]",
        },
        "event, player, seat, place",
        chips=frozenset(("mean", "95% interval")),
        about=_AT_ONCE,
    ),
    Show.FOLDS: Table(
        "All bet at once: folds and bets of round 1, by the equity that the engine gave",
        "koper_folds",
        {
            "event": "event", "player": "player", "engine equity": "tenth_name(chance_bin)", **_RATE, "bets": "bets",
            "R1, chips": "bet_1", "95%, chips": "[bet_1_low, bet_1_high]",
        },
        "event, player, seat, chance_bin",
        chips=frozenset(("R1, chips", "95%, chips")),
        about=_AT_ONCE,
    ),
    Show.BIDS: Table(
        "Bids, what they cost, and the hands after them, luck included",
        "bids",
        {
            **_WHO, "outcome": "outcome", **_RATE, "bid, bb": "bid", "95%, bb": "[bid_low, bid_high]",
            "median": "median_bid", "price, bb": "price", "bb/100": "bb_per_100",
            "95%, bb/100": "[bb_per_100_low, bb_per_100_high]",
        },
        "event, game, player, seat, outcome desc",
        _BOTH,
        frozenset(("bid, bb", "95%, bb", "median", "price, bb", "bb/100", "95%, bb/100")),
        about=("games with auctions", "auctions"),
        minor=("median", "price, bb", "95%, bb"),
    ),
    Show.EXCHANGES: Table(
        "Exchanged cards, and the hands with and without an exchange, luck included",
        "exchanges",
        {
            **_WHO, **_STREET, "kind": "replace(kind, '_', ' ')", "done": "if(exchanged, 'yes', 'no')", **_RATE,
            "bb/100": "bb_per_100", "95%, bb/100": "[bb_per_100_low, bb_per_100_high]",
        },
        f"{_ORDERED}, kind, exchanged desc",
        _BOTH,
        frozenset(("bb/100", "95%, bb/100")),
        "Hands in which cards could be exchanged",
        about=("games with exchanges", "swaps or redraws or list_contains(decisions, 'discard')"),
    ),
    Show.DISCARDS: Table(
        "Which cards a player gives up",
        "discards",
        {**_WHO, "statistic": "label", **_RATE},
        "event, game, player, seat, place",
        _BOTH,
        about=("games with discards", "list_contains(decisions, 'discard')"),
    ),
    Show.PERMUTED: Table(
        "Showdowns whose result a secret order of the ranks changed, beside what the printed ranks would have paid",
        "permuted_showdowns",
        {
            **_WHO, "result": "outcome", **_RATE, "bb/100": "bb_per_100",
            "95%, bb/100": "[bb_per_100_low, bb_per_100_high]", "moved, chips": "moved",
        },
        "event, game, player, seat, outcome",
        _BOTH,
        frozenset(("bb/100", "95%, bb/100", "moved, chips")),
        "Showdowns",
        about=("games with secret ranks", "permutes"),
    ),
    Show.LIMIT: Table(
        "Bets of fixed sizes, by round and bets faced",
        "limit_tendencies",
        {**_WHO, **_STREET, "bets faced": "bets_faced", "answer": "answer", **_RATE},
        f"{_ORDERED}, bets_faced, answer",
        _OPPONENT,
        about=("games with bets of fixed sizes", "fixed_sizes"),
    ),
    Show.TIMES: Table(
        "Seconds a decision, where the log has them",
        "decision_times",
        {
            **_WHO, **_STREET, "n": "n", "mean": "mean", "95%, seconds": "[low, high]", "median": "median",
            "worst": "worst", "total": "total", "of bank": "bank_share",
        },
        _ORDERED,
        _OPPONENT,
        counts=(
            "All decisions whose time the log has; of bank: what they took of the time bank; others: hands on the "
            "street without a slow decision; luck included"
        ),
        lacking="no log here says how long a decision took",
        seconds=frozenset(("mean", "95%, seconds", "median", "worst", "total")),
        minor=("total", "median"),
        then=Table(
            "Do slow decisions lose? Hands with one of the slowest tenth on the street",
            "decision_times",
            {
                **_WHO, **_STREET, "slow over, s": "slow_from", "n slow": "slow_hands",
                "slow, bb/100": "slow_bb_per_100", "95%, slow": "[slow_low, slow_high]", "n others": "other_hands",
                "others, bb/100": "other_bb_per_100", "95%, others": "[other_low, other_high]",
                "slow − others": "slow_difference",
                "95%, difference": "[slow_difference_low, slow_difference_high]",
            },
            chips=_SLOW_CHIPS,
            minor=("95%, others", "95%, slow"),
            count="n slow",
            seconds=frozenset(("slow over, s",)),
        ),
    ),
    Show.CLAIMS: Table(
        "What players say of their own cards, and how often it is wrong (each statement: view claims)",
        "claims_by_kind",
        {
            **_WHO, "kind": "kind", "n": "opportunities", "hands": "hands", "wrong": "successes", "rate": "rate",
            "95% interval": "[low, high]",
        },
        "v.event, v.game, v.player, v.seat, v.kind <> 'all kinds', v.kind",
        counts="Statements that begin with 'I have' or a like form",
        lacking="no player here says what it holds",
    ),
    Show.BELIEFS: Table(
        "Chances to win that players noted, and what was true: hands won, exact equity against the hands held",
        "beliefs",
        {
            **_WHO, "noted": "if(tenth is null, 'all', tenth_name(tenth - 1))", "n": "opportunities",
            "noted on average": "believed", "won": "rate", "95% interval": "[low, high]", "against held": "equity",
            "off by": "off", "95%, off by": "[off_low, off_high]", "against unseen": "unseen",
        },
        "v.event, v.game, v.player, v.seat, v.tenth nulls first",
        counts="Own decisions beside which a chance to win was noted (ingest --join, or the log's own)",
        minor=("against unseen",),
        lacking="no chance to win is noted beside a decision; `ingest --join` ties a bot's own log to its decisions",
    ),
}  # fmt: skip


def _asked(by_opponent: bool, before_lock: bool) -> list[str]:
    """The requested suffixes of views."""
    return ["by_opponent"] * by_opponent + ["before_lock"] * before_lock


def _suffixes(show: Show) -> frozenset[str]:
    """The suffixes that the view of a table may have."""
    if show is Show.OVERVIEW:
        return _BOTH
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
        columns = {heading: sql for heading, sql in table.columns.items() if heading not in _WHO}
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
_WON_RATES: Final = frozenset(("bb/100", "95%, bb/100", "of all, bb/100", "mbb/h")) | _SLOW_CHIPS


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
