"""Every question of the command line as a Polars frame, by the functions that the commands use.

    import railbird as rb

    store = rb.open("railbird-store")
    rb.luck(store).filter(pl.col("hands") > 1000)

`store` is an open store, or the place of one, which is then opened for the call. Names, events, games and matches are
written as for the commands. Money is in chips of the log unless a column says bb_per_100; intervals are at 95%; ids are
whole numbers. A name that nobody has raises UnknownPlayer, another request that cannot be fulfilled UserError.
docs/python.md lists the columns.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar
from warnings import warn

import polars as pl

from ..analytics.audit import KINDS
from ..analytics.found_hands import Conditions, checked, comparison, found_hands
from ..analytics.opponent import without_rows
from ..analytics.players import check_named, rules_of
from ..analytics.settings import DRAWS, Grouping, HandOrder, Kind
from ..analytics.store import Store, open_store
from ..analytics.views import queries
from . import Show, UserError
from .audit import audited_matches, with_hands
from .collusion import pairs_of
from .compare import version_row, versions
from .exploit import document, leaks_of
from .hands import COLUMNS, matches_as_played
from .information import records_of
from .matches import chosen_matches, ended, ids
from .opponent import opponent_as_of
from .replayer import load_hand, rows_of_steps
from .stats import STEADINESS, check_alone, latest_named, rows_query, steadiness
from .why import answer, found_why
from .winnings import RESULTS, Shown, adjusted_ranks, luck_rows

if TYPE_CHECKING:
    from ..analytics.standings import Competition
    from ..storage.locations import Place

    AStore = Store | Place | str | Path
    Named = str | int | None

_Choice = TypeVar("_Choice", bound=StrEnum)

_GAIN: Final = {"gain": pl.Float64, "gain_low": pl.Float64, "gain_high": pl.Float64}
_LEAK: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("leak",), pl.String),
    "street": pl.Int64,
    "spot": pl.String,
    "size": pl.Int64,
    "holding": pl.String,
    "fact": pl.String,
    "play": pl.String,
    "sentence": pl.String,
    **_GAIN,
    "listed": pl.Boolean,
    **dict.fromkeys(("rate", "rate_low", "rate_high"), pl.Float64),
    "n": pl.Int64,
    "hands": pl.List(pl.String),
}
"""The columns of `exploit`: those of its JSON."""
_COST: Final = {name.replace("gain", "cost"): kind for name, kind in _LEAK.items() if name != "listed"}
_PAIR: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("detector", "event", "game", "player", "other"), pl.String),
    **dict.fromkeys(("effect", "effect_low", "effect_high", "p", "q", "q_within"), pl.Float64),
    "flag": pl.Boolean,
    "since": pl.String,
    "score": pl.Float64,
    "hands": pl.Int64,
    "measures": pl.List(pl.String),
    "evidence": pl.List(pl.String),
    "said": pl.List(pl.String),
    "explained_by": pl.List(pl.String),
    "note": pl.String,
}
"""The columns of `collusion`: those of `pairs` in its JSON."""
_HANDS: Final[Mapping[str, Any]] = {
    "match_id": pl.UInt64,
    "hand_index": pl.Int64,
    **dict.fromkeys(("hand", "event", "game", "path"), pl.String),
    **dict.fromkeys(("hand_no", "line"), pl.Int64),
    "players": pl.List(pl.String),
    "deltas": pl.List(pl.Float64),
    "holes": pl.List(pl.List(pl.String)),
    "board": pl.List(pl.String),
    "streets": pl.Int64,
    "ended_by": pl.String,
    **dict.fromkeys(("pot", "pot_bb"), pl.Float64),
    "verdict": pl.String,
}
"""The columns of `hands`: those of its JSON."""
_FACT: Final[Mapping[str, Any]] = {
    **dict.fromkeys(("event", "game", "player", "fact"), pl.String),
    "decisions": pl.Int64,
    **dict.fromkeys(("bits", "chips", "low", "high", "p", "q"), pl.Float64),
    "flag": pl.Boolean,
    "since": pl.String,
    "hands": pl.List(pl.String),
    "said": pl.List(pl.String),
    "tried": pl.List(pl.String),
}
"""The columns of `audit(store, "information")`."""
_VERSION: Final[Mapping[str, Any]] = {
    "player": pl.String,
    **dict.fromkeys(("matches", "hands"), pl.Int64),
    "winnings": pl.Float64,
    **dict.fromkeys(("before", "verdict"), pl.String),
    **dict.fromkeys(("difference", "low", "high"), pl.Float64),
    "hands_to_decide": pl.Int64,
}
"""The columns of `league`: those of its JSON."""
_GAME: Final[Mapping[str, Any]] = {
    "game": pl.String,
    "dialects": pl.List(pl.String),
    "stack": pl.Float64,
    "blinds": pl.List(pl.Float64),
    **dict.fromkeys(("streets", "profiles", "deviations"), pl.List(pl.String)),
    "source": pl.String,
}
"""The columns of `games`: those of its JSON."""


@contextmanager
def _opened(store: "AStore") -> Iterator[Store]:
    if isinstance(store, Store):
        yield store
        return
    with open_store(store) as opened:
        yield opened


def _answer(store: Store, query: str, **params: object) -> pl.DataFrame:
    found: pl.DataFrame = store.sql(query, **params).pl()
    return found


def _frame(rows: Iterable[Mapping[str, Any]], schema: Mapping[str, Any]) -> pl.DataFrame:
    return pl.DataFrame([dict(row) for row in rows], schema=dict(schema))


def _table(columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> pl.DataFrame:
    own = {name: pl.UInt64 for name in columns if name.endswith("match_id")}
    return pl.DataFrame(
        rows, schema=list(columns), orient="row", infer_schema_length=None, schema_overrides=own
    )


def _named(match: "Named") -> str | None:
    """A match as commands name it, also if it is given by its id, a number."""
    return None if match is None else str(match)


def _chosen(kind: type[_Choice], value: str, what: str) -> _Choice:
    """A member of an enumeration by its value; UserError lists them."""
    try:
        return kind(value)
    except ValueError:
        raise UserError(f"{what}={value!r}: one of {', '.join(member.value for member in kind)}") from None


def bankroll(
    store: "AStore", match: "Named" = None, *, event: str | None = None, game: str | None = None
) -> pl.DataFrame:
    """Who won how much, match by match: a row for each match and seat.

    Columns: those of view `results`, and path, the file of the match.
    """
    with _opened(store) as opened:
        return _answer(opened, RESULTS, ids=ids(chosen_matches(opened, _named(match), event, game)))


def luck(
    store: "AStore", by: str = Grouping.PLAYER, event: str | None = None, *, game: str | None = None
) -> pl.DataFrame:
    """Winnings raw, all-in-adjusted and chance-adjusted, in bb per 100 hands; the columns are those of `luck.winnings`.

    by  one of player, match, opponent, position (Grouping)
    """
    with _opened(store) as opened:
        return luck_rows(opened, _chosen(Grouping, by, "by"), event, game)


def stats(
    store: "AStore",
    player: str | None = None,
    *,
    event: str | None = None,
    game: str | None = None,
    by_opponent: bool = False,
    before_lock: bool = False,
    show: str = Show.OVERVIEW,
    last: int | None = None,
) -> pl.DataFrame:
    """How players play: a row for each statistic, with opportunities, rate and the ends of its interval.

    show  a table of `railbird stats --show`
    last  how many matches of each event and game are used, the last that were played (by the player); None: all
    """
    table = _chosen(Show, show, "show")
    with _opened(store) as whole, latest_named(whole, last, player, event, game) as opened:
        if table in STEADINESS:
            check_alone(table, by_opponent, before_lock)
            return steadiness(opened, table, player, event, game)
        query = rows_query(table, by_opponent, before_lock)
        return _answer(opened, query, player=player, event=event, game=game)


def standings(
    store: "AStore",
    event: str | None = None,
    *,
    game: str | None = None,
    table: str = Shown.STANDINGS,
    draws: int = DRAWS,
    seed: int = 0,
) -> pl.DataFrame:
    """The ranking of each event and game, or its other tables; columns as of `standings.Competition`.

    table  standings, crosstable, run-off or adjusted
    draws  of the bootstrap; the same seed repeats its probabilities
    """
    from ..analytics.standings import competitions

    shown = _chosen(Shown, table, "table")

    def pick(found: "Competition") -> pl.DataFrame:
        if adjusting is not None:
            made = adjusted_ranks(found, adjusting)
        elif shown is Shown.CROSSTABLE:
            made = found.crosstable
        else:
            made = found.run_off if shown is Shown.RUN_OFF else found.standings
        own = [name for name in made.columns if name not in ("event", "game", "lineup")]
        where = pl.lit(found.event).alias("event"), pl.lit(found.game).alias("game")
        return made.select(*where, *own)

    with _opened(store) as opened:
        check_named(opened, event, game)
        adjusting = luck_rows(opened, Grouping.PLAYER) if shown is Shown.ADJUSTED else None
        found = [pick(one) for one in competitions(opened, event, game, draws, seed)]
    if not found:
        raise UserError("no hands to rank")
    # A column may have nothing but nulls in one competition.
    return pl.concat(found, how="vertical_relaxed")


def opponent(
    store: "AStore",
    name: str,
    against: str | None = None,
    *,
    event: str | None = None,
    game: str | None = None,
    seat: int | None = None,
    against_seat: int | None = None,
    as_of: "Named" = None,
    last: int | None = None,
) -> dict[str, pl.DataFrame]:
    """What the logs say of a player: each list of its opponent file (docs/opponent.md) as a frame, by its name.

    Each has the column view: full, full_before_lock, and with `against` also as_seen and as_seen_before_lock.

    as_of  the last match that is used: as if the store ended with it
    last   how many of the player's last matches are used; None: all
    """
    asked = name, against, event, game, seat, against_seat
    with (
        _opened(store) as opened,
        opponent_as_of(opened, *asked, as_of=_named(as_of), most=last) as (*_, made),
    ):
        rows: dict[str, list[dict[str, Any]]] = {}
        for view, parts in made["views"].items():
            lists = {
                **parts,
                **parts["game"],
                **{f"exploits_{key}": found for key, found in parts["exploits"].items()},
            }
            for part, found in lists.items():
                if isinstance(found, list) and all(isinstance(row, dict) for row in found):
                    rows.setdefault(part, []).extend({"view": view, **row} for row in found)
        empty = without_rows(opened, [part for part, found in rows.items() if not found])
    frames = {part: pl.DataFrame(found, infer_schema_length=None) for part, found in rows.items()}
    view_column = pl.Series("view", [], pl.String)
    return frames | {part: frame.insert_column(0, view_column) for part, frame in empty.items()}


def exploit(
    store: "AStore",
    name: str,
    *,
    event: str | None = None,
    game: str | None = None,
    seat: int | None = None,
    as_of: "Named" = None,
    every: bool = False,
) -> pl.DataFrame:
    """Which changes of play win most against a player, in bb per 100 hands; the columns are those of its JSON.

    every  also plays that won in these hands but may win nothing (column listed is false)
    """
    with _opened(store) as opened:
        found = leaks_of(opened, name, event, game, seat, _named(as_of), every)
        rules = rules_of(opened, found.player.game)
        return _frame((document(leak, name, rules) for leak in found.leaks), _LEAK)


def why(
    store: "AStore",
    name: str,
    against: str,
    *,
    event: str | None = None,
    game: str | None = None,
    seat: int | None = None,
    against_seat: int | None = None,
    as_of: "Named" = None,
) -> pl.DataFrame:
    """Why a player loses to another: what it gives away there, in bb per 100 hands, the dearest first.

    Columns: those of `exploit` with cost for gain and without listed, and change, what to change.
    """
    with _opened(store) as opened:
        with ended(opened, _named(as_of)) as (limited, last):
            found = found_why(limited, name, against, event, game, seat, against_seat, last)
        made = answer(found, rules_of(opened, found.player.game))
    schema = {**_COST, "change": pl.String}
    return _frame(({key: row[key] for key in schema} for row in made["leaks"]), schema)


def verify(
    store: "AStore",
    match: "Named" = None,
    *,
    every: bool = False,
    event: str | None = None,
    game: str | None = None,
) -> pl.DataFrame:
    """What breaks the rules: findings by game, verdict, deviation and rule; with `every` a row for each violation."""
    with _opened(store) as opened:
        query = queries("verify")["violations" if every else "summary"]
        return _answer(opened, query, ids=ids(chosen_matches(opened, _named(match), event, game)))


def audit(
    store: "AStore",
    kind: str = Kind.CHECKS,
    match: "Named" = None,
    *,
    event: str | None = None,
    game: str | None = None,
) -> pl.DataFrame:
    """The rows of an audit; concern marks those that an auditor should look at (in information: flag).

    kind  as for `railbird audit KIND`
    """
    asked = _chosen(Kind, kind, "kind")
    with _opened(store) as opened:
        if asked is Kind.INFORMATION:
            return _frame(records_of(opened, _named(match), event, game), _FACT)
        audited = KINDS[asked](opened, ids(audited_matches(opened, asked, _named(match), event, game)))
    columns, rows = with_hands(audited)
    return _table(columns, rows)


def collusion(
    store: "AStore", event: str | None = None, *, seed: int = 0, game: str | None = None
) -> pl.DataFrame:
    """Signs of collusion: a row for each detector and pair, all that were tested; the columns are those of its JSON."""
    with _opened(store) as opened:
        return _frame(pairs_of(opened, event, seed, game), _PAIR)


def hands(
    store: "AStore",
    *,
    player: str | None = None,
    against: str | None = None,
    did: str | None = None,
    street: str | None = None,
    situation: str | None = None,
    pot: str | Sequence[str] = (),
    showdown: bool = False,
    match: "Named" = None,
    event: str | None = None,
    game: str | None = None,
    sort: str = HandOrder.PLAY,
    limit: int | None = None,
) -> pl.DataFrame:
    """The hands that meet some conditions, as `railbird hands --format json` has them; pot and deltas in chips.

    pot  a comparison such as ">100" or ">20bb", or several; the others as for the command (docs/find-hands.md)
    """
    order = _chosen(HandOrder, sort, "sort")
    pots = tuple(map(comparison, [pot] if isinstance(pot, str) else pot))
    wanted = Conditions(player, against, did, street, situation, pots, showdown)
    with _opened(store) as opened:
        wanted = checked(opened, wanted, event, game)
        _, chosen = matches_as_played(opened, _named(match), event, game)
        rows = found_hands(opened, wanted, ids(chosen), order, limit)
    return _frame(({name: row[name] for name in COLUMNS} for row in rows), _HANDS)


def hand(store: "AStore", name: str) -> pl.DataFrame:
    """The steps of the hand MATCH#HAND, as `railbird replay --format json` has them."""
    with _opened(store) as opened:
        columns, rows = rows_of_steps(load_hand(opened, name))
    return _table(columns, rows)


def turns(store: "AStore", name: str, seat: str | int, bot: str | Path | None = None) -> pl.DataFrame:
    """What the engine said to a seat of the hand MATCH#HAND, and a bot's answers: `railbird replay --as --bot`.

    Columns: street, message, logged, and with a bot `bot`; one row per answer that the engine wanted. A warning says
    what became of the bot's program, if there is anything to say.

    seat  a seat of the hand, its position or its player
    bot   the folder of a bot that is run for this hand
    """
    from .asked_bot import asked

    with _opened(store) as opened:
        found = asked(opened, name, str(seat), None if bot is None else Path(bot))
    if found.trouble:
        warn(found.trouble, stacklevel=2)
    return pl.DataFrame(found.rows, schema=dict.fromkeys(found.columns, pl.String), orient="row")


def league(
    store: "AStore",
    pattern: str,
    *,
    event: str | None = None,
    game: str | None = None,
    as_of: "Named" = None,
    margin: float | None = None,
) -> pl.DataFrame:
    """The versions of a bot whose names match a regular expression: `railbird compare --league`.

    Columns: those of its JSON, bb per 100 hands; a row for each version, with the difference to the one before.

    as_of   the last match that is used
    margin  versions are equal if the difference is within it
    """
    with _opened(store) as opened:
        found = versions(opened, pattern, event, game, _named(as_of))
    return _frame((version_row(version, margin) for version in found), _VERSION)


def games() -> pl.DataFrame:
    """The games that railbird knows, a row each: `railbird games`. It needs no store.

    Columns: game, dialects of its logs, stack and blinds in chips, streets, engine profiles, deviations of engines, and
    the source of the rules.
    """
    from ..variants.registry import listed

    return pl.DataFrame(listed(), schema=dict(_GAME), orient="row", strict=False)


def sql(store: "AStore", query: str, **params: object) -> pl.DataFrame:
    """The answer to a query; parameters `$name` by their names."""
    with _opened(store) as opened:
        return _answer(opened, query, **params)


QUESTIONS: Final[Sequence[str]] = (
    *("bankroll", "luck", "stats", "standings", "opponent", "exploit", "why", "verify", "audit", "collusion"),
    *("hands", "hand", "turns", "league", "sql"),
)
"""The functions of the package that this module has, but for `games`, which needs no store."""
