"""How players play, as `railbird stats` prints it: tendencies, aggression and folds, with n and interval."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, Final

from ..analytics.players import check_event, check_player
from ..analytics.settings import FEW
from . import Format, Show, UserError, terminal
from .answers import rows_of
from .stat_tables import ALL_LOCKED, print_table
from .terminal import printable

if TYPE_CHECKING:
    from ..analytics.store import Store

ABREAST: Final = 4
_LONG: Final = """
    with long as (
        select event, game, player, seat, {opponent} as opponent, statistic, label, place,
            null::tinyint as street, null as position, opportunities, successes, rate, low, high
        from tendencies{by}{lock} join statistics using (statistic)
        union all by name
        select event, game, player, seat, {opponent} as opponent, 'afq' as statistic,
            'aggression frequency' as label, 100 as place, bets + raises + calls + folds as opportunities,
            bets + raises as successes, afq as rate, afq_low as low, afq_high as high
        from aggression{by}{lock}
        union all by name
        select event, game, player, seat, {opponent} as opponent, 'aggression_pct' as statistic,
            'aggression %' as label, 101 as place, bets + raises + calls + checks as opportunities,
            bets + raises as successes, aggression_pct as rate,
            aggression_pct_low as low, aggression_pct_high as high
        from aggression{by}{lock}
        union all by name
        select event, game, player, seat, {opponent} as opponent, 'fold_to_bet' as statistic,
            'fold ' || street_name(street, game) || ' ' || position as label,
            200 + 20 * street::integer + position_place(position) as place, street, position,
            opportunities, successes, rate, low, high
        from fold_frequency{by}{lock}
    )
    select event, game, player, seat, {shown} statistic, label, street, position, opportunities,
        successes, rate, low, high{place}
    from long where ($player is null or player = $player) and ($event is null or event = $event)
    order by event, game, player, seat, {shown} place
"""


def long_query(by_opponent: bool, with_place: bool = False, before_lock: bool = False) -> str:
    """The query of every statistic in long form; its parameters `player` and `event` may be null.

    with_place: a last column, the order in which to show the statistics
    before_lock: without the hands after the lock point
    """
    place = ", place" if with_place else ""
    lock = "_before_lock" if before_lock else ""
    if by_opponent:
        return _LONG.format(by="_by_opponent", lock=lock, opponent="opponent", shown="opponent,", place=place)
    return _LONG.format(by="", lock=lock, opponent="null", shown="", place=place)


def who(row: dict[str, Any]) -> str:
    """The head of a player's column: name, the seat where a match holds the name twice, the opponent."""
    seat = "" if row["seat"] is None else f" (seat {row['seat']})"
    opponent = f" v {row['opponent']}" if row.get("opponent") is not None else ""
    return f"{row['player']}{seat}{opponent}"


def cell(row: dict[str, Any] | None) -> str:
    """Rate, interval and n of a statistic; only the n where it is 0."""
    if row is None or not row["opportunities"]:
        return "n 0"
    low, high = 100 * row["low"], 100 * row["high"]
    return f"{100 * row['rate']:5.1f}%  {low:3.0f}–{high:<3.0f}  n {row['opportunities']:>5,}"


Grid = list[list[dict[str, Any] | None]]


def _tables(rows: Sequence[dict[str, Any]]) -> Iterator[tuple[str, list[str], Grid, list[str]]]:
    for (event, game), group in groupby(rows, key=lambda row: (row["event"], row["game"])):
        listed = list(group)
        labels = list(dict.fromkeys(row["label"] for row in sorted(listed, key=lambda row: row["place"])))
        people = list(dict.fromkeys(who(row) for row in listed))
        cells = {(who(row), row["label"]): row for row in listed}
        for start in range(0, len(people), ABREAST):
            some = people[start : start + ABREAST]
            grid = [[cells.get((person, label)) for person in some] for label in labels]
            yield f"{game}, event {event}", some, grid, labels


def print_stats(
    store: "Store",
    player: str | None,
    by_opponent: bool,
    form: Format,
    show: Show = Show.OVERVIEW,
    before_lock: bool = False,
    event: str | None = None,
) -> None:
    """Print how players play; as CSV or JSON one row a statistic. UnknownPlayer where nobody has the name."""
    if event is not None:
        check_event(store, event)
    if player is not None:
        check_player(store, player, event)
    if show is not Show.OVERVIEW:
        print_table(store, show, player, by_opponent, before_lock, form, event)
        return
    if form is not Format.TABLE:
        query = long_query(by_opponent, before_lock=before_lock)
        terminal.write(terminal.answer(store, query, player=player, event=event), form)
        return
    from rich.text import Text

    from .layout import Column, lay_out

    out = terminal.console()
    rows = rows_of(store, long_query(by_opponent, True, before_lock), player=player, event=event)
    if not rows:
        raise UserError(f"nothing to show: {ALL_LOCKED if before_lock else 'no decisions in these hands'}")
    for title, people, grid, labels in _tables(rows):
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
    print(f"Rate, 95% Wilson interval, n = opportunities; faint below n = {FEW}. Own choices only.{left_out}")
    print("Folds are those facing a bet (preflop also the blind), by street and position.")
    print("Definitions: select * from statistics")
