"""The sentences before the tables of `railbird stats`."""

import re
from typing import Any

import pytest

from railbird.analytics.store import Store
from railbird.reports import Format, Show
from railbird.reports.stats import print_table
from railbird.reports.table_sentences import SAID, folds_said, parts_said, times_said, winnings_said


def row(player: str, **cells: Any) -> dict[str, Any]:
    return {"event": "cup", "game": "holdem-mit", "player": player, **cells}


def won(player: str, n: int, chips: int, figure: float, low: float | None, high: float) -> dict[str, Any]:
    return row(player, n=n, chips=chips) | {"bb/100": figure, "95%, bb/100": [low, high]}


def test_winners_come_first_and_chance_is_said() -> None:
    rows = [
        won("Ann", 800, -400, -25.0, -60.0, 10.0),
        won("Bea", 800, 900, 56.25, 20.0, 92.0),
        won("Cat", 1, -500, -25000.0, None, 0.0),
    ]
    assert [*winnings_said(rows)] == [
        "Bea won 900 chips in 800 hands: +56.3 bb/100 (+20.0 to +92.0), more than chance.",
        "Ann lost 400 chips in 800 hands: −25.0 bb/100 (−60.0 to +10.0), which may be luck.",
        "Cat lost 500 chips in 1 hand, too few for an interval.",
    ]
    first, second = won("Ann", 9, 1, 1.0, -1.0, 3.0), won("Ann", 9, 1, 1.0, -1.0, 3.0)
    in_two = [*winnings_said([first, second | {"event": "final"}])]
    assert [said.partition(" won")[0] for said in in_two] == [
        "Ann (holdem-mit, event cup)",
        "Ann (holdem-mit, event final)",
    ]


def test_a_part_is_named_only_where_its_whole_interval_is_a_loss() -> None:
    def part(player: str, name: str, value: str, n: int, chips: int, high: float) -> dict[str, Any]:
        return won(player, n, chips, -9.0, -20.0, high) | {"part": name, "value": value}

    rows = [
        part("Ann", "position", "SB", 400, -300, 1.0),
        part("Ann", "street", "river", 90, -200, -2.0),
        part("Ann", "street", "turn", 29, -900, -2.0),
        # A folded hand is lost by itself.
        part("Ann", "end", "folded", 200, -999, -5.0),
        part("Bea", "street", "river", 90, -200, 2.0),
    ]
    assert [*parts_said(rows)] == [
        "Ann loses most with its last choice on the river: −9.0 bb/100 (−21.6 to −1.0, 95% for all 2 parts together) "
        "in 90 hands.",
        "Bea: no part of 30 hands or more loses beyond chance.",
    ]


def test_a_bluff_is_advised_only_where_it_surely_wins() -> None:
    def fold(player: str, low: float, n: int = 60) -> dict[str, Any]:
        cells = {"street": "turn", "position": "BB", "size": "to 1/2 pot", "answer": "fold", "n": n}
        return row(player, **cells, rate=low + 0.1, MDF=0.75) | {"95% interval": [low, low + 0.2]}

    rows = [fold("Ann", 0.3), fold("Ann", 0.5), fold("Bea", 0.24), fold("Bea", 0.6, n=29)]
    assert [*folds_said(rows)] == [
        "Bluff Ann on the turn in BB: it folds to 60.0% (48.6–71.4%, 95% for all 2 rows together) of 60 bets to 1/2 "
        "pot, and above 25.0% any bluff wins. The same holds in 2 of 2 rows with n 30 or more.",
        "Bea: no fold is surely more frequent than 1 − MDF.",
    ]


def test_the_worst_of_many_rows_needs_more_than_its_own_interval() -> None:
    """Of 40 parts without an effect one is below 0 by itself: that is chance."""
    parts = [won("Ann", 90, -k, -9.0, -17.5, -0.5) | {"part": "kind", "value": str(k)} for k in range(40)]
    assert next(iter(parts_said(parts[:1]))).startswith(
        "Ann loses most with hole cards of the kind 0: −9.0 bb/100 (−17.5 to"
    )
    assert [*parts_said(parts)] == ["Ann: no part of 30 hands or more loses beyond chance."]


def test_times_and_many_players() -> None:
    def time(player: str, street: str, mean: float, worst: float) -> dict[str, Any]:
        return row(player, street=street, n=50, mean=mean, worst=worst) | {"95%, seconds": [0.1, 0.4]}

    rows = [time("Ann", "flop", 0.25, 0.5), time("Ann", "river", 0.125, 2.0)]
    assert [*times_said(rows)] == [
        "Ann takes longest on the flop: 0.25 s (0.1 to 0.4) on average of 50 decisions; its longest took 2 s."
    ]
    many = [*times_said([time(f"P{k}", "flop", 1.0, 1.0) for k in range(9)])]
    assert len(many) == 7 and many[-1] == "3 more players: see the table."


@pytest.mark.parametrize("show", [Show.WINNINGS, Show.WHERE, Show.HANDS, Show.FACED])
@pytest.mark.parametrize("by_opponent", [False, True])
def test_tables_begin_with_their_sentences(
    sample_store: Store, show: Show, by_opponent: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    assert show in SAID
    print_table(sample_store, show, None, by_opponent, False, Format.TABLE, game="bounty")
    shown = capsys.readouterr().out
    sentence = r"chips in [\d,]+ hands?[:,]|loses? most with|loses beyond chance|any bluff wins|1 − MDF"
    head = " ".join(shown.split(" ──")[0].split())
    assert re.search(sentence, head)
    assert not by_opponent or " against " in head or "players:" in head
