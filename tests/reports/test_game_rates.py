"""The rates of what makes a game (bids, exchanges, discards, ...) stand in `opponent` and on a player's page, too."""

import re
from html import unescape
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from railbird.analytics.opponent import CLAIMS, _of_game
from railbird.analytics.players import Player
from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.reports.pages.players import Person
from railbird.reports.stats import RATES_OF_GAMES, game_rates
from railbird.reports.stats_tables import TABLES
from railbird.reports.terminal import percent

# A player, the table of its game, and the view.
PLAYERS = [
    (Player("auction", "auction", "Otter"), "bids"),
    (Player("swap", "swap", "Otter"), "exchanges"),
    (Player("toss", "toss", "Rook"), "discards"),
    (Player("blotto", "blotto", "Otter"), "blotto_allocation"),
    (Player("blotto", "blotto", "Otter"), "blotto_triggers"),
    (Player("river-of-blood", "river-of-blood", "Otter"), "run_tendencies"),
]


def test_every_table_of_what_makes_a_game_is_one_of_stats() -> None:
    assert {TABLES[show].view for show in RATES_OF_GAMES} >= {"bids", "exchanges", "discards", CLAIMS}


@pytest.mark.parametrize(
    ("player", "view"), PLAYERS, ids=lambda one: one if isinstance(one, str) else one.game
)
def test_the_rates_of_a_game_are_those_of_its_view(
    player: Player, view: str, sample_store: Store, report: Path
) -> None:
    rows = sample_store.execute(
        f"select rate, successes, opportunities from {view} where event = $event "
        "and player = $name and seat is null order by all",
        event=player.event,
        name=player.name,
    ).fetchall()
    assert rows and sum(row[2] for row in rows) > 0
    document = _of_game(sample_store, player, "")
    assert sorted((row["rate"], row["successes"], row["opportunities"]) for row in document[view]) == rows
    who = (player.event, player.game, player.name, player.seat)
    (found,) = (
        one
        for key, one in game_rates(sample_store, player.name, player.event)
        if key == who and TABLES[one.show].view == view
    )
    table = found.table
    rate, n = (list(table.columns).index(name) for name in ("rate", "n"))
    assert sorted((row[rate], row[n]) for row in table.rows) == sorted((row[0], row[2]) for row in rows)
    page = unescape((report / Person(*who).page).read_text(encoding="utf-8"))
    (section,) = re.findall(r'<section class="tab" id="rates".*?</section>', page, re.DOTALL)
    assert table.title in section
    assert all(f'<td class="num">{percent(row[0])}</td>' in section for row in rows)
    assert found.said and all(f"<li>{line}</li>" in section for line in found.said)


def test_a_game_without_such_decisions_has_none(sample_store: Store, report: Path) -> None:
    assert not [*game_rates(sample_store, "Rook", "holdem-mit")]
    page = (report / Person("holdem-mit", "holdem-mit", "Rook", None).page).read_text(encoding="utf-8")
    assert 'id="rates"' not in page


def test_opponent_prints_them_behind_the_tendencies(
    run: Run, sample_logs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ingest([sample_logs / "auction"], tmp_path / "store", event="auction")
    with open_store(tmp_path / "store") as store:
        ((hands, matches),) = store.execute(
            "select sum(hands)::bigint, count(*) from results where player = 'Otter'"
        ).fetchall()
    # The document itself takes seconds.
    tendency = {"statistic": "vpip", "label": "VPIP", "street": None, "position": None, "few": False}
    full = {
        "hands": hands,
        "matches": matches,
        "tendencies": [tendency | {"rate": 0.5, "low": 0.4, "high": 0.6, "opportunities": 90}],
    }
    made: dict[str, Any] = {
        "player": {"event": "auction", "game": "auction", "name": "Otter", "seat": None},
        "against": None,
        "changes": {"found": []},
        "views": {"full": full},
    }
    monkeypatch.setattr("railbird.analytics.opponent.opponent_file", lambda *_: dict(made))
    code, out, err = run("opponent", "Otter", "--store", tmp_path / "store")
    assert (code, err) == (0, "")
    answer = re.search(r"(?m)^(Outbid|Do not outbid) Otter: |^Otter: whether auctions won pay more", out)
    assert answer and answer.start() < out.index("VPIP")
    assert out.index("VPIP") < out.index("Bids, what they cost") < out.rindex("lost")
