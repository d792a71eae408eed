"""The tables that `railbird stats --show` prints besides the overview, each from one view or estimator."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from ..analytics.settings import FEW
from . import Format, Show, UserError, terminal
from .answers import name_of
from .steadiness import print_steadiness
from .terminal import Answer, interval, percent

if TYPE_CHECKING:
    from ..analytics.store import Store


_WHO: Final = {"event": "event", "game": "game", "player": "player"}
_RATE: Final = {"n": "opportunities", "rate": "rate", "95% interval": "[low, high]"}


@dataclass(frozen=True)
class Table:
    """A view as a table of the terminal, in which it is called v.

    columns  the heading and the SQL of each; a list of two is an interval. Beside a namesake's name his seat is written
    order    of the rows, after event, game and player
    twins    those of its view that may be asked for
    chips    headings that are no shares
    counts   whose decisions are counted
    about    the games that it is about, and the condition on their properties (relation `games`); none: all
    """

    title: str
    view: str
    columns: Mapping[str, str]
    order: str = "all"
    twins: frozenset[str] = frozenset()
    chips: frozenset[str] = field(default_factory=frozenset)
    counts: str = "Own choices only"
    about: tuple[str, str] | None = None


ALL_LOCKED: Final = "--before-lock leaves out every hand that counts"
_BOTH: Final = frozenset(("by_opponent", "before_lock"))
_OPPONENT: Final = frozenset(("by_opponent",))
_ALL_HANDS: Final = "All hands, whoever acted"
_STREET: Final = {"street": "street_name(street, game)"}
_LABEL: Final = "(select label from {} as k where k.statistic = v.statistic)"
_PLACE: Final = _LABEL.replace("label", "place")
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
        "What a player does facing a bet, by its size; folding more often than 1 − MDF is too much",
        "bets_faced",
        {
            **_WHO, **_STREET, "position": "position", "size": "size_name(size_bin)", "answer": "answer",
            **_RATE, "MDF": "mdf",
        },
        f"{_ORDERED}, position_place(v.position), v.size_bin, v.answer",
        _BOTH,
    ),
    Show.MADE: Table(
        "The sizes that a player chooses",
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
        "Winnings, luck and all",
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
        "What a player's own live bounty changes",
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
        "River of Blood: river and run, by depth and by the chance that the next card is black",
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
        "Blotto, board by board",
        "blotto_tendencies",
        {"event": "event", "player": "player", "board": "board_no", "statistic": _LABEL.format("statistics"), **_RATE},
        f"event, player, seat, {_PLACE.format('statistics')}, board_no",
        _BOTH,
        about=_BOARDS,
    ),
    Show.ALLOCATION: Table(
        "Blotto: where the strongest pair goes",
        "blotto_allocation",
        {
            "event": "event", "player": "player", "board": "board_no", **_RATE, "Chen points": "points",
            "entropy, bits": "entropy", "95%, bits": "[entropy_low, entropy_high]",
        },
        "event, player, seat, board_no",
        _BOTH,
        frozenset(("Chen points", "entropy, bits", "95%, bits")),
        about=_BOARDS,
    ),
    Show.TRIGGERS: Table(
        "Blotto: facing a bet once the opponent is all-in here or elsewhere",
        "blotto_triggers",
        {"event": "event", "player": "player", "all-in": "trigger", "answer": "answer", **_RATE},
        "event, player, seat, trigger, answer",
        _BOTH,
        about=_BOARDS,
    ),
    Show.KOPER: Table(
        "Koper: bets, steps and caps, means over games",
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
        "Koper: folds and bets of round 1 against the chance told",
        "koper_folds",
        {
            "event": "event", "player": "player", "chance told": "tenth_name(chance_bin)", **_RATE, "bets": "bets",
            "R1, chips": "bet_1", "95%, chips": "[bet_1_low, bet_1_high]",
        },
        "event, player, seat, chance_bin",
        chips=frozenset(("R1, chips", "95%, chips")),
        about=_AT_ONCE,
    ),
    Show.LIMIT: Table(
        "ACPC limit, by round and bets faced",
        "limit_tendencies",
        {**_WHO, **_STREET, "bets faced": "bets_faced", "answer": "answer", **_RATE},
        f"{_ORDERED}, bets_faced, answer",
        _OPPONENT,
        about=("games with bets of fixed sizes", "fixed_sizes"),
    ),
}  # fmt: skip


def print_table(
    store: "Store",
    show: Show,
    player: str | None,
    by_opponent: bool,
    before_lock: bool,
    form: Format,
    event: str | None = None,
) -> None:
    """Print a table of `TABLES`, or an estimator's; UserError where it knows no such twin or has no row."""
    if show in (Show.SAME, Show.DRIFT):
        if by_opponent or before_lock:
            raise UserError(f"--show {show} has neither --by-opponent nor --before-lock")
        print_steadiness(store, show, player, event, form)
        return
    table = TABLES[show]
    asked = [
        word for word, is_asked in (("by_opponent", by_opponent), ("before_lock", before_lock)) if is_asked
    ]
    for word in asked:
        if word not in table.twins:
            raise UserError(f"--show {show} has no --{word.replace('_', '-')}")
    view = "_".join([table.view, *asked])
    named = (
        f"from {view} as v where ($player is null or v.player = $player) and ($event is null or v.event = $event) "
        f"order by {table.order}"
    )
    if form is not Format.TABLE:
        terminal.write(terminal.answer(store, f"select v.* {named}", player=player, event=event), form)
        return
    columns = dict(table.columns)
    if by_opponent:
        place = list(columns).index("player") + 1
        items = list(columns.items())
        columns = dict([*items[:place], ("opponent", "opponent"), *items[place:]])
    listed = ", ".join(f'{sql} as "{heading}"' for heading, sql in columns.items())
    at = list(columns).index("player")
    found = [
        (*row[:at], name_of(row[at], seat), *row[at + 1 :])
        for *row, seat in store.execute(
            f"select {listed}, v.seat {named}", player=player, event=event
        ).fetchall()
    ]
    if not found:
        raise UserError(f"nothing to show: {_why(store, show, player, event, asked)}")
    count = list(columns).index("n")
    terminal.write(
        Answer(list(columns), found, table.title, _writers(table, columns), lambda row: row[count] < FEW),
        form,
    )
    print(f"{table.counts}; 95% intervals; faint below n = {FEW}. Definitions: docs/statistics.md, {view}")


def _why(store: "Store", show: Show, player: str | None, event: str | None, asked: list[str]) -> str:
    """Why a table has no row."""
    table = TABLES[show]
    games = [game for (game,) in store.sql("select distinct game from matches order by game").fetchall()]
    if not games:
        return "the store has no matches"
    if table.about:
        what, condition = table.about
        if not store.sql(f"select 1 from games where {condition} limit 1").fetchall():
            return f"--show {show} is only for {what}; the store has {', '.join(games)}"

    def rows(view: str, player: str | None, event: str | None) -> int:
        named = "($player is null or player = $player) and ($event is null or event = $event)"
        counted = store.sql(f"select count(*) from {view} where {named}", player=player, event=event)
        return int(counted.fetchall()[0][0])

    if "before_lock" in asked and rows(table.view, player, event):
        return ALL_LOCKED
    if rows(table.view, None, None):
        words = {"the player": player, "the event": event}
        whom = " and ".join(f"{what} {said!r}" for what, said in words.items() if said is not None)
        return f"--show {show} has no rows for {whom}, only for others"
    return f"no hand in the store counts for --show {show}"


_SHARES: Final = {
    "rate",
    "MDF",
    "mean size",
    "hit",
    "hit when winning",
    "live",
    "else",
    "shift",
}


def _writers(table: Table, columns: Mapping[str, str]) -> dict[str, Callable[[Any], str]]:
    found: dict[str, Callable[[Any], str]] = {}
    for heading, sql in columns.items():
        if heading.endswith("bits"):
            found[heading] = _ends if sql.startswith("[") else _figure
        elif sql.startswith("["):
            found[heading] = _chip_ends if heading in table.chips else _share_ends
        elif heading in _SHARES:
            found[heading] = percent
        elif heading in table.chips:
            found[heading] = terminal.chips
    return found


def _chip_ends(ends: list[float | None]) -> str:
    low, high = ends
    return "" if low is None or high is None else f"{terminal.chips(low)} to {terminal.chips(high)}"


def _share_ends(ends: list[float | None]) -> str:
    return interval(ends[0], ends[1])


def _ends(ends: list[float | None]) -> str:
    low, high = ends
    return "" if low is None or high is None else f"{_figure(low)} to {_figure(high)}"


def _figure(value: float | None) -> str:
    """As the ends of its interval."""
    return "" if value is None else terminal.minus(f"{value:.4g}")
