"""The first lines of a report: the winner, its margin and the uncertainty, and what needs attention."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from ...analytics.settings import LEVEL
from ..matches import Row
from ..terminal import chips, counted, percent
from .answers import sure_of
from .players import Person, Standing

SHOWN_WON: Final = 12
"""The most events that the first lines name."""
FIRST_EVENTS: Final = 5
"""Events that the first page shows unfolded; the others are one line each until they are opened."""
SHOWN_FAULTS: Final = 3
"""The most players whose faults the first page names."""


@dataclass(frozen=True)
class Won:
    """Who won an event.

    first   its row of the standings, or those of all players with the most chips
    second  the row of the next player; None without one
    ahead   chips between the two
    sure    a sentence: how sure the first place is
    """

    table: Standing
    first: list[Row]
    second: Row | None
    ahead: float
    sure: str


@dataclass(frozen=True)
class Look:
    """A thing to look at: words, the page that shows it, and the player that it is about, if one is."""

    text: str
    page: str
    who: Person | None = None


@dataclass(frozen=True)
class Summary:
    """What the first page says first."""

    won: list[Won]
    looks: list[Look]


def summary(tables: Sequence[Standing], shared: Mapping[str, Any], public: bool = False) -> Summary:
    """The summary of some standings and of the lists of `overview`; public: without amounts by the written rules."""
    return Summary([_won(table) for table in tables if table.players], [*_looks(shared, public)])


def _won(table: Standing) -> Won:
    first = [row for row in table.players if row["rank"] == table.players[0]["rank"]]
    second = next((row for row in table.players if row not in first), None)
    ahead = first[0]["delta"] - second["delta"] if second else 0.0
    return Won(table, first, second, ahead, _sure(first, second))


def _sure(first: Sequence[Row], second: Row | None) -> str:
    if len(first) > 1 or second is None:
        return ""
    (row,) = first
    chance = row.get("p_first")
    if chance is not None and not row.get("scarce"):
        level = 1 - LEVEL
        drawn = f"first in {percent(chance)} of draws of the same hands or matches"
        if chance >= level:
            return f"That is sure: {drawn}."
        places = f"place {row['rank_low']} to {row['rank_high']} in {level:.0%} of them"
        return f"That is not sure: {drawn}, {places}."
    said = sure_of(row["low"], row["high"])
    # An interval above 0 is of this player alone; whether another is as good is another question.
    return f"{said} {_UNKNOWN}" if "p_first" in row and (row["low"] or 0) > 0 else said


_UNKNOWN: Final = "So few independent hands or matches do not give a chance of first place."


def _looks(shared: Mapping[str, Any], public: bool) -> list[Look]:
    hands = {row["verdict"]: row["hands"] for row in shared["verdicts"]}
    found: list[Look] = []

    def add(text: str, part: str, who: Person | None = None) -> None:
        found.append(Look(text, f"integrity.html#{part}", who))

    if changed := shared["winners_in_all"]:
        add(f"{counted(changed, 'match')} with another winner by the written rules", "winners")
    for verdict, page, said in (
        ("violation", "verdicts" if public else "violations", "against the rules, as no known engine plays"),
        ("damaged", "verdicts", "whose lines in the log contradict each other"),
        ("unverified", "verdicts", "that could not be checked"),
    ):
        if count := hands.get(verdict):
            add(f"{counted(count, 'hand')} {said}", page)
    if count := hands.get("engine_deviation"):
        names = dict.fromkeys(row["deviation"] for row in shared["deviations"])
        some = ", ".join([*names][:SHOWN_FAULTS]) + (" and others" if len(names) > SHOWN_FAULTS else "")
        add(
            f"{counted(count, 'hand')} in which an engine departs from the written rules in a known way ({some})",
            "findings",
        )
    by_player: dict[Person, list[Row]] = {}
    for row in shared["faults"]:
        if row["player"] is not None:
            who = Person(row["event"], row["game"], row["player"], row["seat"])
            by_player.setdefault(who, []).append(row)
    worst = sorted(by_player.items(), key=lambda one: -sum(row["lines"] for row in one[1]))
    for who, rows in worst[:SHOWN_FAULTS]:
        kinds = ", ".join(f"{chips(row['lines'])} {row['kind']}" for row in rows)
        add(f"faults of the bot: {kinds}", "faults", who)
    if len(worst) > SHOWN_FAULTS:
        add(f"{counted(len(worst) - SHOWN_FAULTS, 'more bot')} with faults", "faults")
    uneven = sum(bool(row["concern"]) for row in shared["audit_balance"])
    if uneven:
        add(f"{counted(uneven, 'test')} of the dealer beyond chance", "cards")
    again = sum(bool(row["concern"]) for row in shared["audit_deals"])
    if again:
        add(f"{counted(again, 'group')} of matches with the same cards for no stated reason", "cards")
    unread = sum(file["status"] in ("partial", "rejected") for file in shared["files"])
    if unread and not public:
        add(f"{counted(unread, 'file')} not read, or not to the end", "ledger")
    return found
