"""Models as bots of MIT's engine: played with over a socket by a server of the tests' own."""

from __future__ import annotations

import json
import os
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from shutil import copytree
from subprocess import run as run_program
from typing import Any

import numpy as np
import pytest
from conftest import Run
from support import mit_server
from support.commands import railbird

from railbird.analytics.model import railbird_model, railbird_player
from railbird.analytics.model.clone import NoClone, state_of, table_of
from railbird.analytics.players import find_player, matches_in_order
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay.bots import STYLES, Answer, View
from railbird.replay.simulate import Player, play_bots, playable, simulate
from railbird.variants.mit_bots import BotError, Listener, check_spoken

GAMES = ("bounty", "holdem-mit")


@pytest.fixture(scope="module", params=GAMES)
def game(request: pytest.FixtureRequest) -> str:
    """A game whose engine such bots play with."""
    name: str = request.param
    return name


@pytest.fixture(scope="module")
def exported(game: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a bot that plays as Lou, who raises often."""
    from railbird import cli

    folder = tmp_path_factory.mktemp("players")
    (folder / "cup").mkdir()
    for seed in range(3):
        log = simulate(game, [("Lou", "loose-aggressive"), ("Max", "random")], 250, seed)
        (folder / "cup" / f"{seed}.log").write_text(log, encoding="utf-8")
    ingest([folder / "cup"], folder / "store")
    assert (
        cli.main(["model", "export", "Lou", "--store", str(folder / "store"), "--out", str(folder / "bot")])
        == 0
    )
    return folder / "bot"


def test_it_plays_a_thousand_rounds_by_the_rules(
    exported: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What `python3` of its command is: this environment's.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    served = mit_server.serve(exported, 1000, 1, game == "bounty")
    assert len(served.results) == 1000
    assert served.ended == 0
    assert served.slowest < 1
    assert served.sent == {*"PHFCKRBODQ", *("GY" if game == "bounty" else "")}
    assert {answer[0] for answer in served.answers} == {*"FCKR"}
    assert len({answer for answer in served.answers if answer[0] == "R"}) > 20


def test_its_table_is_that_of_the_matches_up_to_the_last_one_asked_for(tmp_path: Path) -> None:
    place = tmp_path / "store"
    for number, stack in enumerate((300, 500, 500)):
        path = tmp_path / "cup" / f"{number}.log"
        path.parent.mkdir(exist_ok=True)
        bots = [("Lou", "loose-aggressive"), ("Max", "random")]
        path.write_text(simulate("holdem-mit", bots, 20, number), encoding="utf-8")
        ingest([path], place, stack=stack)
    with open_store(place) as store:
        lou = find_player(store, "Lou")
        (first, *_) = [row[0] for row in matches_in_order(store, lou.event, lou.game)]
        assert table_of(store, lou)["stack"] == 500
        assert table_of(store, lou, first)["stack"] == 300
        with pytest.raises(NoClone, match="match 1 is not of event"):
            table_of(store, lou, 1)


@pytest.mark.parametrize("within", [False, True])
def test_it_ends_when_the_connection_is_cut(
    exported: Path, within: bool, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    served = mit_server.cut(exported, 5, 2, within)
    assert len(served.results) == 5
    assert served.ended == 0
    assert capfd.readouterr().err == ""


def test_the_folder_is_all_that_it_needs(exported: Path) -> None:
    assert sorted(path.name for path in exported.iterdir()) == [
        "commands.json", "model.npz", "player.py", "railbird_model.py", "table.json",
    ]  # fmt: skip
    assert json.loads((exported / "commands.json").read_text()) == {
        "build": [],
        "run": ["python3", "player.py"],
    }
    assert json.loads((exported / "table.json").read_text()) == {"stack": 400, "blinds": [1, 2]}
    for name in ("player.py", "railbird_model.py"):
        lines = (exported / name).read_text("utf-8").splitlines()
        modules = {
            line.split()[1].partition(".")[0] for line in lines if line.startswith(("import ", "from "))
        }
        assert modules - sys.stdlib_module_names <= {"numpy"}


class Silent(railbird_player.Player):
    """Keeps the hand, and answers nothing."""

    def __init__(self) -> None:
        self.stack, self.blinds = 400, [1, 2]

    def choice(self) -> str:
        return ""


class Both(Listener):
    """Plays a style; notes the states that a clone sees in its views, and those that the clauses make."""

    def __init__(self, seed: int) -> None:
        super().__init__(Random(seed))
        self.style = STYLES["random"](self.rng)
        self.player = Silent()
        self.states: list[tuple[dict[str, Any], dict[str, Any]]] = []

    def open(self, hands: int) -> bool:
        return True

    def told(self, *clauses: str) -> None:
        self.player.answer(clauses)

    def act(self, view: View) -> Answer:
        if view.to_call or view.high:
            self.states.append((state_of(view), self.player.hand.state()))
        return self.style.act(view)


@pytest.mark.parametrize("game", [*GAMES, "river-of-blood", "hpi"])
def test_the_messages_make_the_states_of_the_arena(game: str) -> None:
    bots = [Both(seed) for seed in range(2)]
    play_bots(game, [Player(f"P{seat}", bot) for seat, bot in enumerate(bots)], 80, 3)
    for bot in bots:
        assert len(bot.states) > 80
        for seen, heard in bot.states:
            # A line that the player goes on with is the same list.
            heard["line"] = heard["line"][: len(seen["line"])]
            assert seen == heard


def test_whose_games_have_no_such_bots_is_said_in_one_line(
    run: Run, samples_folder: Path, tmp_path: Path
) -> None:
    with open_store(samples_folder) as samples:
        rows = samples.execute(
            "select game, event, min(player) from players "
            "where namesake_seat is null and (game in ('toss', 'koper') or game like 'acpc/%') "
            "group by all order by all"
        ).fetchall()
    assert len(rows) > 3
    for game, event, name in rows:
        more = ("--store", samples_folder, "--event", event, "--game", game, "--out", tmp_path / "no")
        code, out, err = run("model", "export", name, *more)
        assert (code, out) == (2, "")
        assert err == (
            f"railbird: the messages of {game}'s engine to bots are not known: no bot of MIT's skeleton plays it\n"
        )
    assert not (tmp_path / "no").exists()
    with pytest.raises(BotError):
        check_spoken("whist")


def test_games_with_such_bots_are_those_of_this_protocol() -> None:
    spoken = set()
    for game in playable():
        with suppress(BotError):
            check_spoken(game)
            spoken.add(game)
    assert spoken == {"holdem-mit", "bounty", "river-of-blood", "hpi"}


def test_a_bot_whose_model_is_of_an_older_version_says_so(exported: Path, tmp_path: Path) -> None:
    folder = copytree(exported, tmp_path / "bot")
    with np.load(folder / "model.npz") as data:
        arrays = dict(data)
    older = {name: value for name, value in arrays.items() if not name.startswith("raises_")}
    np.savez(folder / "model.npz", **older | {"format": np.array("railbird.model/1")})
    done = run_program(
        [sys.executable, "player.py", "1"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("player.py: ")
    assert "fit the model again" in done.stderr


def test_a_seed_fixes_what_it_answers(exported: Path) -> None:
    model = railbird_model.load(exported / "model.npz")
    table = json.loads((exported / "table.json").read_text())
    message = ["T9.000", "P0", "H7h,2c", "GA"]
    answers = []
    for seed in (1, 1, 2):
        player = railbird_player.Player(model, table, Random(seed).random)
        answers.append([player.answer(message) for _ in range(30)])
    assert answers[0] == answers[1] != answers[2]
    assert player.answer(["T9.000", "F", "D-1"]) == "K"


def test_a_new_process_knows_the_games(game: str, exported: Path, tmp_path: Path) -> None:
    """Here another import may have made the games known."""
    store = exported.parent / "store"
    asked = ("model", "export", "Lou", "--store", str(store), "--out", str(tmp_path / "bot"))
    done = railbird(tmp_path, *asked)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "bot" / "player.py").exists()
