"""The output of `railbird opponent`: tables for people; with `--format json`, the opponent file itself."""

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from ..schema.words import RANKS
from . import Format, UserError
from .replayer import street_name
from .terminal import Answer, brief_interval, json_value, minus, percent, printable, write

if TYPE_CHECKING:
    from ..analytics.store import Store

_HIGH_FIRST: Final = RANKS[::-1]
_FACING: Final = {0: "no bet", 1: "the blinds", 2: "a raise", 3: "a 3-bet", 4: "a 4-bet"}


def print_opponent(
    store: "Store",
    name: str,
    against: str | None,
    event: str | None,
    game: str | None,
    seat: int | None,
    against_seat: int | None,
    form: Format,
) -> None:
    """Print a player's opponent file. UserError for CSV: it is not a table; UnknownPlayer for the names."""
    from ..analytics.opponent import opponent_file
    from ..analytics.players import find_opponent, find_player, rules_of

    if form is Format.CSV:
        raise UserError("the opponent file is not a table: use --format json or table")
    player = find_player(store, name, event, game, seat)
    viewer = None if against is None else find_opponent(store, player, against, against_seat)
    made = opponent_file(store, player, viewer)
    if form is Format.JSON:
        json.dump(json_value(made), sys.stdout)
        print()
        return
    _print(made | {"rules": rules_of(store, player.game)})


def _print(made: dict[str, Any]) -> None:
    who, met = made["player"], made["against"]
    full = made["views"]["full"]
    seen = made["views"].get("as_seen")
    seat = "" if who["seat"] is None else f" (seat {who['seat']})"
    print(printable(f"{who['name']}{seat}: {who['game']}, event {who['event']}"))
    print(f"hands {full['hands']:,}, matches {full['matches']:,}", end="")
    print(printable(f", against {met['name']}") if met else "")
    if seen:
        print(printable(f"{met['name']} was told the cards of {seen['hands_with_cards']:,} of these hands."))
    tables = [
        _tendencies(made, full),
        *_exploits(made, full, "by a model"),
        _defences(made, full),
        *_strengths(made, full, "" if seen is None else ", everything known"),
        *_ranks(made, full, "" if seen is None else ", everything known"),
    ]
    if seen:
        bluffs = f"by the cards that {met['name']} was told"
        tables += [*_strengths(made, seen, ", as seen"), *_exploits(made, seen, bluffs, ("call", "fold"))]
        tables += _ranks(made, seen, ", as seen")
    for answer in [*tables, *_grids(made, full)]:
        if answer.rows:
            write(answer)
    for what, why in made["does_not_apply"].items():
        print(f"Left out: {what.replace('_', ' ')} ({why}).")
    print(
        f"95% intervals, n beside every figure, faint below n = {made['few_below']}. Definitions: docs/opponent.md"
    )


def _span(row: dict[str, Any], low: str = "low", high: str = "high") -> str:
    return brief_interval(row[low], row[high])


def _answer(title: str, columns: Sequence[str], rows: Iterable[tuple[bool, tuple[Any, ...]]]) -> Answer:
    """A table whose rows with few cases are faint."""
    listed = list(rows)
    few = {id(row) for is_few, row in listed if is_few}
    return Answer(columns, [row for _, row in listed], title, faint=lambda row: id(row) in few)


def _is_repeated(row: dict[str, Any], tendencies: Sequence[dict[str, Any]]) -> bool:
    """True for a tendency over all streets that repeats one street's: a c-bet on the flop is that street's."""
    told = ("rate", "low", "high", "opportunities")
    return row["street"] is None and any(
        other["street"] is not None
        and row["label"].startswith(other["label"])
        and all(row[name] == other[name] for name in told)
        for other in tendencies
    )


def _tendencies(made: dict[str, Any], view: dict[str, Any]) -> Answer:
    rows = [
        (
            row["few"],
            (
                row["label"],
                "" if row["street"] is None else street_name(made["rules"], row["street"]),
                row["position"] or "",
                percent(row["rate"]),
                _span(row),
                row["opportunities"],
            ),
        )
        for row in view["tendencies"]
        if row["opportunities"]
        and (row["position"] is None or row["statistic"] == "fold_to_bet")
        and not _is_repeated(row, view["tendencies"])
    ]
    return _answer("Tendencies", ["statistic", "street", "position", "rate", "interval", "n"], rows)


def _defences(made: dict[str, Any], view: dict[str, Any]) -> Answer:
    rows = [
        (
            row["few"],
            (
                street_name(made["rules"], row["street"]),
                made["sizes"][row["size"] - 1],
                percent(row["rate"]),
                _span(row),
                percent(row["break_even"]),
                _points(row["over_fold"]),
                row["opportunities"],
            ),
        )
        for row in view["defences"]
    ]
    columns = ["street", "bet", "folds", "interval", "break-even", "over-fold", "n"]
    return _answer("Answers to bets, against the minimum defence frequency", columns, rows)


def _strengths(made: dict[str, Any], view: dict[str, Any], which: str) -> list[Answer]:
    sizes = [
        (
            row["few"],
            (
                street_name(made["rules"], row["street"]),
                made["sizes"][row["size"] - 1],
                row["bets"],
                row["seen"],
                percent(row["equity"]),
                _span(row, "equity_low", "equity_high"),
                percent(row["bluff_share"]),
                _span(row),
                percent(row["optimum"]),
            ),
        )
        for row in view["bets_by_size"]
    ]
    tells = [
        (
            row["few"],
            (
                street_name(made["rules"], row["street"]),
                row["auc"],
                "" if row["low"] is None else f"{row['low']:.2f}–{row['high']:.2f}",
                row["bets_for_value"],
                row["bluffs"],
            ),
        )
        for row in view["size_tells"]
    ]
    return [
        _answer(
            f"Strength by own bet size{which}",
            ["street", "bet", "bets", "n", "equity", "interval", "bluffs", "bluffs interval", "optimum"],
            sizes,
        ),
        _answer(
            f"Size tells: P(a bet for value is the larger){which}",
            ["street", "AUC", "interval", "n value", "n bluffs"],
            tells,
        ),
    ]


def _exploits(made: dict[str, Any], view: dict[str, Any], by: str, only: Sequence[str] = ()) -> list[Answer]:
    """Tables of the best exploits: things to do, and things to leave out.

    Chips weigh in what an exploit wins: a row whose own rate, where each case counts one, speaks against it is left to
    the document.
    """
    from ..analytics.opponent import LEFT_OUT

    found = view["exploits"]
    tables = []
    for title, leaves_out in (("Exploits", False), ("What to leave out", True)):
        winning = [
            row
            for row in found["winning"]
            if (not only or row["exploit"] in only) and (row["exploit"] in LEFT_OUT) is leaves_out
        ]
        shown = [row for row in winning if (row["rate"] < row["break_even"]) is leaves_out]
        rows = [
            (
                row["few"] or not row["certain"],
                (
                    row["does"],
                    street_name(made["rules"], row["street"]),
                    made["sizes"][row["size"] - 1],
                    _number(row["bb_per_100"]),
                    "" if row["bb_low"] is None else f"{_number(row['bb_low'])} to {_number(row['bb_high'])}",
                    percent(row["rate"]),
                    percent(row["break_even"]),
                    row["opportunities"],
                ),
            )
            for row in shown
        ]
        columns = ["do", "street", "bet", "bb/100", "interval", "rate", "break-even", "n"]
        said = (
            f"{title}, {by}; the best of {found['compared']} compared (grey: may win nothing, or few cases)"
        )
        assumed = {row["does"]: row["assumes"] for row in shown}
        notes = [f"To {does}: {assumes}." for does, assumes in assumed.items()]
        if less := len(winning) - len(shown):
            notes.append(
                f"{less} more would have won chips, although their rate says otherwise (--format json)."
            )
        tables.append(replace(_answer(said, columns, rows), notes=notes))
    return tables


def _ranks(made: dict[str, Any], view: dict[str, Any], which: str) -> list[Answer]:
    """Tables about Bounty's hidden ranks. Bits lost by the belief can be measured even if no rank is known."""
    known = [
        _answer(
            f"{title}{which}",
            [who, "bits a hand", "interval", "rank known", "interval of known", "n", "draws of ranks"],
            [
                (
                    row["few"],
                    (
                        row["opponent"],
                        f"{row['lost_per_hand']:.3f}",
                        "" if row["lost_low"] is None else f"{row['lost_low']:.3f} to {row['lost_high']:.3f}",
                        percent(row["known_rate"]),
                        _span(row, "known_low", "known_high"),
                        row["hands"],
                        row["blocks"],
                    ),
                )
                for row in view["game"].get(name, ())
            ],
        )
        for title, name, who in (
            ("What it revealed of its rank", "rank_given_away", "to"),
            ("What it could know of the other's rank", "rank_learnt", "of"),
        )
    ]
    used = [
        (
            row["few"],
            (
                row["statistic"],
                street_name(made["rules"], row["street"]),
                percent(row["live_rate"]),
                _span(row, "live_low", "live_high"),
                row["live_opportunities"],
                percent(row["rate"]),
                _span(row),
                row["opportunities"],
                "" if row["shift"] is None else _points(row["shift"]),
                ""
                if row["shift_low"] is None
                else f"{_points(row['shift_low'])} to {_points(row['shift_high'])}",
            ),
        )
        for row in view["game"].get("rank_used", ())
    ]
    columns = [
        "statistic",
        "street",
        "live",
        "interval",
        "n live",
        "else",
        "else interval",
        "n",
        "shift",
        "95%",
    ]
    title = f"When the other's bounty was live, as far as it could know{which}"
    return [*known, _answer(title, columns, used)]


def _grids(made: dict[str, Any], view: dict[str, Any]) -> list[Answer]:
    """One grid for each position and bet level with enough decisions; a cell is not folded / decisions."""
    if "grid" in made["does_not_apply"]:
        return []
    grids = []
    for situation in view["ranges"]:
        if situation["decisions"] < made["few_below"]:
            continue
        facing = _FACING.get(situation["bet_level"], f"bet level {situation['bet_level']}")
        rows = [
            [_cell(situation["cells"].get(_class(row, column))) for column in range(13)] for row in range(13)
        ]
        place = f"{situation['position']} facing {facing}"
        if made["rules"].simultaneous:
            # Places have numbers.
            place = f"place {situation['position']} after the dealer, round 1"
        title = f"Range in {place}: not folded / dealt, n {situation['decisions']:,}"
        grids.append(
            Answer(
                ["", *_HIGH_FIRST],
                [[rank, *cells] for rank, cells in zip(_HIGH_FIRST, rows, strict=True)],
                title,
            )
        )
    return grids


def _class(row: int, column: int) -> str:
    if row == column:
        return _HIGH_FIRST[row] * 2
    high, low = _HIGH_FIRST[min(row, column)], _HIGH_FIRST[max(row, column)]
    return f"{high}{low}s" if row < column else f"{high}{low}o"


def _cell(counts: list[int] | None) -> str:
    return "" if counts is None else f"{sum(counts) - counts[0]}/{sum(counts)}"


def _points(value: float) -> str:
    return minus(f"{100 * value:+.1f}")


def _number(value: float) -> str:
    return minus(f"{value:.1f}")
