"""What `stats --show same-state` and `--show drift` print: does a player do the same again, and does he change?"""

from collections.abc import Callable, Iterator, Mapping
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from ..analytics.players import rules_of
from ..analytics.settings import FEW
from ..analytics.steadiness import LEAST, SHUFFLES
from ..variants.properties import Properties
from . import Format, Show, UserError, terminal
from .answers import name_of
from .stepping import street_name
from .terminal import Answer, chance, chips, interval, percent, printable

if TYPE_CHECKING:
    import polars as pl

    from ..analytics.store import Store

_NOTES: Final = {
    Show.SAME: (
        "A state is what the player knew of the hand: position, own cards and board up to a renaming of suits, every\n"
        "action so far, in Bounty the own rank. Rate = equal pairs / pairs of own choices in one state, with its 95%\n"
        f"interval over states; always: states with one action; faint below {FEW} pairs. Definitions: "
        "docs/definitions.md, same state"
    ),
    Show.DRIFT: (
        "Halves of the match's hands up to the lock point; diff. = second − first, its 95% interval over hands\n"
        f"(in Bounty blocks). p = (b + 1) / {SHUFFLES + 1}: b of {SHUFFLES} shuffles move as far; "
        "change p: some cut of theirs has\n"
        f"as large a |z|. n = opportunities. Own choices only; faint below n = {FEW}. Definitions: "
        "docs/definitions.md, drift"
    ),
}
_WHY: Final = {
    Show.SAME: (
        "no player chose twice in the same state; games whose cards change, Blotto and Koper are left out"
    ),
    Show.DRIFT: f"in no match has a player {LEAST} opportunities of one statistic; Koper is left out",
}
_TITLES: Final = {
    Show.SAME: "The same state, the same action? Pairs of decisions",
    Show.DRIFT: "First half against second; the likeliest change. p by shuffling: of many, some are small by chance",
}


def print_steadiness(store: "Store", show: Show, player: str | None, event: str | None, form: Format) -> None:
    """Print determinism or drift, as tables or as one of CSV or JSON; UserError where a table has no row."""
    import polars as pl

    from ..analytics.steadiness import determinism, drift

    frame = (determinism if show is Show.SAME else drift)(store, player)
    if event is not None:
        frame = frame.filter(pl.col("event") == event)
    if form is not Format.TABLE:
        terminal.write(terminal.composed(frame.columns, frame.rows()), form)
        return
    if not frame.height:
        raise UserError(f"nothing to show: {_WHY[show]}")
    print(_TITLES[show])
    labels = dict(store.sql("select statistic, label from statistics").fetchall())
    rules = {game: rules_of(store, game) for game in frame["game"].unique()}
    for table in _same(frame, rules) if show is Show.SAME else _drift(frame, labels):
        terminal.write(table)
    print(_NOTES[show])


def _same(frame: "pl.DataFrame", rules: Mapping[str, Properties]) -> Iterator[Answer]:
    """A table an event and game."""
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
    """A table a match and player. labels: what people call each statistic."""
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
