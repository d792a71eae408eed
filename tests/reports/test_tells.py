"""A player's sizes and habits as the dossier shows them, against what is counted by hand."""

from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from railbird.analytics.settings import FEW
from railbird.analytics.store import Store
from railbird.reports.matches import all_matches
from railbird.reports.pages import players
from railbird.reports.table_sentences import size_tells_said


def test_halves_are_those_of_the_hands_before_the_lead_was_safe(sample_store: Store) -> None:
    matches = all_matches(sample_store)
    until = {match.match_id: match.hands for match in matches}
    locks = "select match_id, hand_index from lock_points where hand_index is not null"
    until |= dict(sample_store.execute(locks).fetchall())
    seats = {
        row[:2]: row[2:]
        for row in sample_store.execute(
            "select match_id, seat, event, game, player, namesake_seat from players"
        ).fetchall()
    }
    counted: defaultdict[tuple[object, ...], defaultdict[int, list[float]]] = defaultdict(
        lambda: defaultdict(lambda: [0.0] * 4)
    )
    for match, hand, seat, statistic, n, k in sample_store.execute(
        "select match_id, hand_index, seat, statistic, opportunities, successes from chances_before_lock"
    ).fetchall():
        late = 2 if 2 * hand >= until[match] else 0
        cell = counted[(*seats[match, seat], statistic)][match]
        cell[late] += n
        cell[late + 1] += k
    rows = players.halves(sample_store, matches)
    with_interval = 0
    for row in rows:
        key = tuple(row[name] for name in ("event", "game", "player", "seat", "statistic"))
        cells = np.array(list(counted[key].values()))
        n1, k1, n2, k2 = cells.sum(axis=0)
        assert (row["n1"], row["n2"]) == (n1, n2)
        assert row["difference"] == pytest.approx(k2 / n2 - k1 / n1)
        if row["low"] is None:
            continue
        with_interval += 1
        assert min(n1, n2) >= FEW
        left = (cells[:, 3] - k2 / n2 * cells[:, 2]) / n2 - (cells[:, 1] - k1 / n1 * cells[:, 0]) / n1
        count = len(cells)
        half = stats.t.ppf(0.975, count - 1) * np.sqrt(count / (count - 1) * (left**2).sum())
        ends = row["difference"] - half, row["difference"] + half
        assert (row["low"], row["high"]) == pytest.approx(ends, abs=1e-5 * half)
    assert len(rows) > 30
    assert with_interval > 0


def test_others_are_all_players_but_one(sample_store: Store) -> None:
    """Counts, rates and Wilson intervals, from the rows of the other players."""
    matches = all_matches(sample_store)
    dossiers = players.Dossiers(sample_store, matches, players.standings(sample_store, matches))
    expected: dict[players.Person, dict[str, tuple[Any, ...]]] = defaultdict(dict)
    for event, game, player, seat, statistic, *row in sample_store.execute(
        "with rates as materialized (select * from tendencies_by_match)"
        " select w.*, statistic, sum(opportunities), sum(successes),"
        " rate_low(sum(successes), sum(opportunities), added_spread(spread)),"
        " rate_high(sum(successes), sum(opportunities), added_spread(spread))"
        " from (select distinct event, game, player, namesake_seat from rates) as w join rates as t"
        " on t.event = w.event and t.game = w.game"
        " and (t.player, t.namesake_seat) is distinct from (w.player, w.namesake_seat) group by all"
    ).fetchall():
        expected[players.Person(event, game, player, seat)][statistic] = tuple(row)
    compared = 0
    for table in dossiers.tables:
        for one in table.players:
            field = dossiers.of(one["person"], table)["field"]
            # A player has no row of what he had no chance of in any match.
            for statistic, (n, k, low, high) in expected[one["person"]].items():
                if statistic in field:
                    found = field[statistic]
                    assert (found["opportunities"], found["successes"]) == (n, k)
                    if n:
                        assert found["rate"] == pytest.approx(k / n)
                        assert (found["low"], found["high"]) == pytest.approx((low, high))
                        compared += 1
    assert compared > 50


def test_changes_are_left_out_of_large_reports(sample_store: Store) -> None:
    matches = all_matches(sample_store)
    assert players.changes(sample_store, matches * 10) is None
    found = players.changes(sample_store, matches[:20])
    assert found is not None
    assert {row["match_id"] for row in found} <= {match.match_id for match in matches[:20]}
    assert [row["change_p"] for row in found] == sorted(row["change_p"] for row in found)
    cut = [row for row in found if row["change_hand"] is not None]
    assert cut
    for row in found:
        sides = row["before_side"], row["after_side"]
        if row["change_hand"] is None:
            assert sides == (None, None)
            continue
        assert sum(side["n"] for side in sides) == row["opportunities"]
        for rate, side in zip((row["before"], row["after"]), sides, strict=True):
            assert side["low"] <= rate <= side["high"]
            # The rate is a number of successes over that very n.
            assert rate * side["n"] == pytest.approx(round(rate * side["n"]), abs=1e-6)


def test_the_dossier_shows_what_sizes_tell(sample_store: Store, report: Path) -> None:
    matches = all_matches(sample_store)
    rows = players.bets_by_size(sample_store, matches)
    # A tell is ranked where the cards behind any bet of the street are known.
    known = {players.street_of(row) for row in rows if row["seen"]}
    assert known
    assert all((row["tell"] is not None) == (players.street_of(row) in known) for row in rows)
    assert not any(row["tell"] for row in players.bets_by_size(sample_store, matches * 10))
    assert (
        len(rows) == sample_store.execute("select count(*) from bets_by_size where bets > 0").fetchall()[0][0]
    )
    shown = max(rows, key=lambda row: row["seen"])
    text = (report / players.person(shown).page).read_text(encoding="utf-8")
    assert "What the size tells" in text
    assert f"n {shown['seen']:,}</span>" in text
    assert 'id="drift"' in text


def test_sentences_say_on_which_streets_sizes_tell() -> None:
    """Only where the whole interval lies on one side of 50%."""

    def row(player: str, street: str, low: float | None, high: float | None) -> dict[str, Any]:
        who = {"event": "cup", "game": "holdem-mit", "player": player}
        return {**who, "street": street, "95% interval": [low, high]}

    rows = [
        row("Ann", "preflop", 0.2, 0.4),
        row("Ann", "flop", 0.1, 0.4),
        row("Ann", "turn", 0.3, 0.45),
        row("Ann", "river", 0.6, 0.7),
        row("Bea", "flop", 0.4, 0.6),
        row("Bea", "river", None, None),
    ]
    assert [*size_tells_said(rows)] == [
        "Ann: bluffs are larger than bets for value preflop and on the flop and turn; "
        "bets for value are larger than bluffs on the river.",
        "Bea: sizes tell nothing beyond chance.",
    ]
