"""What starting hands won and what lies behind sizes of bets, against the rows of the store counted here."""

from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest

from railbird.analytics.settings import FEW_IN_CELL
from railbird.analytics.store import Store
from railbird.reports.matches import all_matches
from railbird.reports.pages.players import Person, _by_person
from railbird.reports.starting_hands import (
    TONES,
    Grid,
    boxes_by_street,
    grid_of,
    hand_at,
    strength_boxes,
    winnings_of_hands,
)


def grids(store: Store) -> dict[Person, Grid]:
    found = {who: grid_of(rows) for who, rows in _by_person(winnings_of_hands(store)).items()}
    return {who: grid for who, grid in found.items() if grid is not None}


def class_of(hole: list[str]) -> str | None:
    """A hand of two cards as people write it."""
    if len(hole) != 2:
        return None
    high, low = sorted(hole, key=lambda card: "AKQJT98765432".index(card[0]))
    return high[0] + low[0] + ("" if high[0] == low[0] else "s" if high[1] == low[1] else "o")


def test_cells_are_the_hands_of_the_store(sample_store: Store) -> None:
    counted: defaultdict[Person, defaultdict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for *who, hole, bb in sample_store.execute(
        "select p.event, p.game, p.player, p.namesake_seat, s.hole, s.delta / m.unit from seats as s"
        " join players as p using (match_id, seat) join matches as m using (match_id)"
        " where s.delta is not null and s.hole is not null and m.unit is not null"
    ).fetchall():
        if name := class_of(hole):
            counted[Person(*who)][name].append(bb)
    found = grids(sample_store)
    assert found.keys() == counted.keys()
    for person, grid in found.items():
        cells = {row["hole_class"]: row for row in grid.cells.values()}
        assert cells.keys() == counted[person].keys()
        assert grid.hands == sum(len(won) for won in counted[person].values())
        assert all(hand_at(*place) == row["hole_class"] for place, row in grid.cells.items())
        for name, won in counted[person].items():
            assert cells[name]["n"] == len(won)
            assert cells[name]["bb_per_100"] == pytest.approx(100 * np.mean(won), abs=1e-6)


def test_games_of_one_three_or_more_cards_have_no_grid(sample_store: Store) -> None:
    games = {who.game for who in grids(sample_store)}
    assert {"bounty", "holdem-mit", "swap"} <= games
    assert not games & {"blotto", "toss", "acpc/kuhn.limit.3p", "acpc/leduc.limit.2p", "pineapple-2013"}


def test_colours_follow_what_was_won() -> None:
    def row(place: int, won: float | None, n: int = 50, half: float = 1e9) -> dict[str, object]:
        ends = (None, None) if won is None else (won - half, won + half)
        name = hand_at(place, place)
        return {
            **dict(zip(("low", "high"), ends, strict=True)),
            **{"hole_class": name, "n": n, "delta": 0.0, "bb_per_100": won},
            **{"grid_row": place, "grid_column": place},
        }

    rows = [row(0, 400.0), row(1, 200.0), row(2, 0.0), row(3, -90.0), row(4, -400.0, half=10.0), row(5, None)]
    few = row(6, 9000.0, FEW_IN_CELL - 1, 1.0)
    grid = grid_of([*rows, few])
    assert grid is not None
    assert grid.full == 400
    assert [grid.cells[place, place]["tone"] for place in (0, 1, 2, 3, 4)] == [TONES, 2, 0, -1, -TONES]
    assert (5, 5) not in grid.cells
    # Few hands never have a strong colour, whatever they won, nor a sure one.
    assert (grid.cells[6, 6]["tone"], grid.cells[6, 6]["sure"]) == (1, False)
    assert [grid.cells[place, place]["sure"] for place in (0, 4)] == [False, True]
    assert grid_of([row(5, None)]) is None
    assert grid_of([]) is None


def test_a_cell_knows_how_its_hand_was_played() -> None:
    place = {"grid_row": 0, "grid_column": 1}
    won = {"hole_class": "AKs", "n": 3, "delta": 1.0, "bb_per_100": 1.0, "low": None, "high": None, **place}
    played = [
        {"n": 3, "folds": 0, "calls": 1, "raises": 2, **place},
        {"n": 1, "folds": 1, "calls": 0, "raises": 0, **place},
    ]
    grid = grid_of([won], played)
    assert grid is not None
    assert grid.cells[0, 1]["played"] == {"n": 4, "folds": 1, "calls": 1, "raises": 2}


def test_boxes_are_quantiles_of_the_equities(sample_store: Store) -> None:
    equities: defaultdict[tuple[object, ...], list[float]] = defaultdict(list)
    for *key, equity in sample_store.execute(
        "select event, game, player, namesake_seat, street, made_bin, equity_own from strengths"
        " where action in ('bet', 'raise') and equity_own is not null and made is not null"
    ).fetchall():
        equities[tuple(key)].append(equity)
    rows = strength_boxes(sample_store)
    names = ("event", "game", "player", "seat", "street", "size")
    assert {tuple(row[name] for name in names) for row in rows} == equities.keys()
    for row in rows:
        seen = equities[tuple(row[name] for name in names)]
        ends = [row[name] for name in ("whisker_low", "box_low", "median", "box_high", "whisker_high")]
        assert row["n"] == len(seen)
        assert ends == pytest.approx(np.quantile(seen, [0.05, 0.25, 0.5, 0.75, 0.95]))
    by_street = boxes_by_street(rows[:1])
    assert by_street == {rows[0]["street"]: {rows[0]["size"]: rows[0]}}


def test_the_dossier_has_the_grid_and_the_boxes(sample_store: Store, report: Path) -> None:
    who, grid = max(
        ((who, grid) for who, grid in grids(sample_store).items() if who.game == "bounty"),
        key=lambda one: one[1].hands,
    )
    text = (report / who.page).read_text(encoding="utf-8")
    assert "What each hand won" in text
    assert text.count('class="tone-') + text.count('class="thin tone-') == len(grid.cells)
    assert f"{grid.hands:,} hands whose cards are known" in text
    assert '<svg class="box"' in text
    blotto = next(match for match in all_matches(sample_store) if match.game == "blotto")
    page = Person(blotto.event, "blotto", blotto.players[0], blotto.namesakes[0]).page
    assert "What each hand won" not in (report / page).read_text(encoding="utf-8")
