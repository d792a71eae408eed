"""The first lines of a report: who won, by how much, how sure, and what needs a look."""

from typing import Any

import pytest

from railbird.reports.pages.players import Person, Standing
from railbird.reports.pages.summary import summary
from railbird.variants.properties import Properties

NOTHING: dict[str, Any] = {
    "verdicts": [{"verdict": "ok", "hands": 100}],
    "winners_in_all": 0,
    "deviations": [],
    "faults": [],
    "audit_balance": [],
    "audit_deals": [],
    "files": [{"status": "ok"}, {"status": "sidecar"}],
}


def row(player: str, rank: int, delta: float, **more: Any) -> dict[str, Any]:
    who = Person("cup", "holdem-mit", player, None)
    return {
        "person": who,
        "player": player,
        "seat": None,
        "rank": rank,
        "delta": delta,
        "low": -1.0,
        "high": 9.0,
    } | more


def table(*players: dict[str, Any]) -> Standing:
    return Standing("cup", "holdem-mit", Properties(game="holdem-mit", title="Hold'em"), list(players))


def drawn(player: str, rank: int, delta: float, chance: float | None, scarce: bool = False) -> dict[str, Any]:
    return row(player, rank, delta, p_first=chance, scarce=scarce, rank_low=1, rank_high=3)


FEW = "There are too few independent hands or matches to say how sure that is."
LUCK = "The 95% interval of what it won holds 0, so that may be luck."
NOT_TOLD = "So few independent hands or matches do not give a chance of first place."


@pytest.mark.parametrize(
    ("players", "sure"),
    [
        (
            [drawn("A", 1, 50, 0.97), drawn("B", 2, -50, 0.03)],
            "That is sure: first in 97.0% of draws of the same hands or matches.",
        ),
        (
            [drawn("A", 1, 50, 0.61), drawn("B", 2, -50, 0.39)],
            "That is not sure: first in 61.0% of draws of the same hands or matches, place 1 to 3 in 95% of them.",
        ),
        ([drawn("A", 1, 50, 0.99, scarce=True), drawn("B", 2, -50, 0.01, scarce=True)], LUCK),
        ([drawn("A", 1, 50, None), drawn("B", 2, -50, None)], LUCK),
        ([drawn("A", 1, 50, None) | {"low": None}, drawn("B", 2, -50, None)], FEW),
        (
            [drawn("A", 1, 50, 0.99, scarce=True) | {"low": 2.0, "high": 3.0}, drawn("B", 2, -50, 0.01, scarce=True)],
            f"The 95% interval of what it won lies above 0. {NOT_TOLD}",
        ),
        ([row("A", 1, 50, low=2.0), row("B", 2, -50)], "The 95% interval of what it won lies above 0."),
        ([row("A", 1, 50), row("B", 2, -50)], LUCK),
        ([row("A", 1, 50, low=None), row("B", 2, -50)], FEW),
        ([row("A", 1, 50)], ""),
    ],
)  # fmt: skip
def test_how_sure_the_first_place_is(players: list[dict[str, Any]], sure: str) -> None:
    (won,) = summary([table(*players)], NOTHING).won
    assert [one["player"] for one in won.first] == ["A"]
    assert won.ahead == (100 if len(players) > 1 else 0)
    assert won.sure == sure


def test_players_that_are_level_share_the_first_place() -> None:
    (won,) = summary([table(row("A", 1, 0), row("B", 1, 0), row("C", 3, -7))], NOTHING).won
    assert [one["player"] for one in won.first] == ["A", "B"]
    assert (won.second or {})["player"] == "C" and won.ahead == 7 and won.sure == ""


def test_nothing_needs_a_look_where_nothing_is_odd() -> None:
    assert summary([], NOTHING).looks == []


def test_what_needs_a_look() -> None:
    fault = {"event": "cup", "game": "holdem-mit", "seat": None, "lines": 3}
    faults = [fault | {"player": name, "kind": kind} for name in "ABCD" for kind in ("late", "illegal")]
    faults.append(fault | {"player": "D", "kind": "disconnected", "lines": 40})
    odd = NOTHING | {
        "verdicts": [
            {"verdict": verdict, "hands": 2} for verdict in ("ok", "violation", "damaged", "engine_deviation")
        ],
        "deviations": [{"deviation": name} for name in ("a.one", "a.two", "a.one", "a.three", "a.four")],
        "winners_in_all": 1,
        "faults": [*faults, fault | {"player": None, "kind": "late"}],
        "audit_balance": [{"concern": True}, {"concern": False}],
        "audit_deals": [{"concern": True}],
        "files": [{"status": "partial"}, {"status": "rejected"}, {"status": "ok"}],
    }
    looks = summary([], odd).looks
    assert [(one.text, one.page.partition("#")[2]) for one in looks] == [
        ("1 match with another winner by the written rules", "winners"),
        ("2 hands against the rules, as no known engine plays", "violations"),
        ("2 hands whose lines in the log contradict each other", "verdicts"),
        (
            "2 hands in which an engine departs from the written rules in a known way"
            " (a.one, a.two, a.three and others)",
            "findings",
        ),
        ("faults of the bot: 3 late, 3 illegal, 40 disconnected", "faults"),
        ("faults of the bot: 3 late, 3 illegal", "faults"),
        ("faults of the bot: 3 late, 3 illegal", "faults"),
        ("1 more bot with faults", "faults"),
        ("1 test of the dealer beyond chance", "cards"),
        ("1 group of matches with the same cards for no stated reason", "cards"),
        ("2 files not read, or not to the end", "ledger"),
    ]  # fmt: skip
    assert [one.who.player for one in looks if one.who] == ["D", "A", "B"]
    pages = {one.page for one in summary([], odd, public=True).looks}
    assert "integrity.html#violations" not in pages and "integrity.html#ledger" not in pages
