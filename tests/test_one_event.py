"""What a command says of one event, or of one game, is what it says of a store that holds nothing else."""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

import railbird as rb
from railbird.replay.simulate import simulate

COMMANDS = (
    ("verify",),
    ("verify", "--all"),
    ("audit", "checks"),
    ("audit", "findings"),
    ("audit", "balance"),
    ("audit", "failures"),
    ("audit", "gains"),
    ("audit", "information"),
    ("bankroll",),
    ("luck",),
    ("luck", "--by", "position"),
    ("standings",),
    ("standings", "--crosstable"),
    ("standings", "--adjusted"),
    ("collusion",),
)
EVENTS = {"cup": "bounty", "league": "holdem-mit"}


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A store of both events, and one of each."""
    root = tmp_path_factory.mktemp("events")
    for event, game in EVENTS.items():
        (root / event).mkdir()
        for number in range(3):
            bots = [("Ann", "loose-aggressive"), ("Bob", "faulty")]
            (root / event / f"{event}-{number}.txt").write_text(simulate(game, bots, 40, number), newline="")
        for store in ("both", f"only-{event}"):
            rb.ingest([root / event], root / store, event=event)
    return {name: root / name for name in ("both", *(f"only-{event}" for event in EVENTS))}


def told(run: Run, store: Path, *words: str) -> Any:
    """What a command says; without the hash of the slopes of all games together."""
    found = json.loads(run(*words, "--store", store, "--format", "json")[1])
    return [{key: row[key] for key in row if key != "slopes"} for row in found] if "luck" in words else found


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_one_event_and_one_game_are_a_store_of_their_own(
    command: tuple[str, ...], stores: dict[str, Path], run: Run
) -> None:
    whole = told(run, stores["both"], *command)
    alone = {event: told(run, stores[f"only-{event}"], *command) for event in EVENTS}
    assert not whole or alone["cup"] != alone["league"]
    for event, game in EVENTS.items():
        assert told(run, stores["both"], *command, "--event", event) == alone[event]
        assert told(run, stores["both"], *command, "--game", game) == alone[event]


def test_a_report_of_one_event_has_no_match_of_another(
    stores: dict[str, Path], tmp_path: Path, run: Run
) -> None:
    code, _, wrong = run("report", "--event", "cup", "--store", stores["both"], "--out", tmp_path / "report")
    assert code == 0, wrong
    pages = {page.name for page in (tmp_path / "report").glob("match-*.html")}
    with rb.open(stores["only-cup"]) as store:
        rows = store.sql("select match_id from matches").fetchall()
    assert pages == {f"match-{match_id}.html" for (match_id,) in rows}
    assert "league" not in (tmp_path / "report" / "index.html").read_text()


@pytest.mark.parametrize(
    "command", [("verify",), ("audit",), ("luck",), ("standings",), ("collusion",)], ids=str
)
@pytest.mark.parametrize("option", ["--event", "--game"])
def test_an_unknown_event_or_game_is_one_line(
    command: tuple[str, ...], option: str, stores: dict[str, Path], run: Run
) -> None:
    code, said, wrong = run(*command, option, "holdem-mitt", "--store", stores["both"])
    assert (code, said) == (2, "")
    assert (
        wrong.startswith(f"railbird: no match is of the {option[2:]} 'holdem-mitt'")
        and wrong.count("\n") == 1
    )


def test_the_places_of_all_are_not_asked_of_one_event(stores: dict[str, Path], run: Run) -> None:
    code, _, wrong = run("audit", "standings", "--event", "cup", "--store", stores["both"])
    assert code == 2 and wrong.endswith("leave out --event\n")
