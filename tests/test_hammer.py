"""What `make hammer` rests on: words for every command, and processes that are forked and stopped."""

import json
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from hammer import forks, processes, words
from hammer.forks import Command, ForkServer
from hammer.processes import damaged, ended_well, files_of, left_in
from hammer.program import Hammer, counted


@pytest.fixture(scope="module")
def server() -> Iterator[ForkServer]:
    with ForkServer() as made:
        yield made


def test_every_command_has_words() -> None:
    assert set(words.CASES) == set(words.commands())
    for name, cases in words.CASES.items():
        assert cases
        assert all(" ".join(case.words).startswith(name) for case in cases)
    assert {name for name, case in words.cases() if case.is_endless} == {"watch", "serve", "mcp"}


def test_words_with_whole_paths() -> None:
    case = words.Case(["export", "./out/csv", "--store", "./store"]).absolute(Path("/try"))
    assert case.words == ["export", "/try/out/csv", "--store", "/try/store"]


@pytest.mark.parametrize("python", ["", sys.executable])
def test_a_command_runs_in_its_folder(server: ForkServer, tmp_path: Path, python: str) -> None:
    command = Command(["variant", "new", "mine", "--out", "."], str(tmp_path), python=python)
    ended = server.run(command)
    assert (ended.code, ended.err, ended.left) == (0, "", 0)
    assert "mine.py" in ended.out
    assert "mine.py" in files_of(tmp_path)
    assert list(ended_well(command, ended)) == []
    again = server.run(command)
    assert (again.code, again.err) == (2, "railbird: mine.py is there already\n")
    assert left_in(tmp_path) == []


def test_commands_at_once_and_one_that_goes_on(server: ForkServer, tmp_path: Path) -> None:
    (tmp_path / "logs").mkdir()
    watch = Command(["watch", "logs", "--every", "0.1"], str(tmp_path), is_endless=True)
    games = Command(["games"], str(tmp_path), closed=True, output=str(tmp_path / "games"))
    server.begin([watch, games])
    assert [ended.code for ended in server.ended()] == [130, 141]


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGKILL, -9)])
def test_a_command_is_stopped(server: ForkServer, tmp_path: Path, number: int, code: int) -> None:
    (tmp_path / "logs").mkdir()
    words = ["watch", "logs", "--every", "0.1"]
    command = Command(words, str(tmp_path), stop=number, after=0.5, is_wall=True)
    ended = server.run(command)
    assert ended.code == code
    assert list(ended_well(command, ended)) == []


def test_what_is_wrong_is_seen(server: ForkServer, tmp_path: Path) -> None:
    command = Command(["no-such-command"], str(tmp_path))
    ended = server.run(command)
    assert (ended.code, list(ended_well(command, ended))) == (2, [])
    assert list(ended_well(command, ended._replace(left=1)))
    assert list(ended_well(command, ended._replace(code=-signal.SIGINT)))
    for name in ("tmp/railbird-x/part", "store/staging/1/part", "store/.manifest.json.1.new", "out/.a.new"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    assert {name.split("/")[0] for name in left_in(tmp_path)} == {"tmp", "store", "out"}
    (tmp_path / "store" / "manifest.json").write_text("{")
    assert list(damaged(tmp_path))


def test_a_hammer_counts_what_it_tried(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hammer = Hammer.__new__(Hammer)
    hammer.done, hammer.wrong = Counter(), Counter()
    hammer.cases = {name: words.CASES[name] for name in ("games", "sql")}
    asked: list[tuple[str, str]] = []

    def kind(_: object, case: words.Case, dice: random.Random) -> Iterator[str]:
        asked.append((case.words[0], str(dice.random())))
        yield from ["wrong"] * (case.words[0] == "sql")
        if len(asked) > 3:
            raise FileNotFoundError("a part")

    monkeypatch.setattr(processes, "KINDS", {"some-kind": kind})
    monkeypatch.setattr(hammer, "ground", None, raising=False)
    assert [hammer.tried("some-kind", seed) for seed in (2, 3, 2)] == [[], ["wrong"], []]
    assert asked[0] == asked[2] != asked[1]
    assert list(hammer.counts()) == ["some-kind            3 tried    1 found  2 commands, the least 1 (sql)"]
    # A store that cannot be read is what the hammer looks for.
    assert hammer.tried("some-kind", 5) == ["wrong", "sql: FileNotFoundError: a part"]


def test_commands_get_as_many_tries_as_each_other_and_their_ways_take_turns() -> None:
    hammer = Hammer.__new__(Hammer)
    hammer.cases = {name: words.CASES[name] for name in ("export", "sql", "luck")}
    taken = [hammer.case("interrupt", seed) for seed in range(12)]
    assert [name for name, _ in taken] == ["export", "sql", "luck"] * 4
    assert [case for name, case in taken if name == "export"] == list(words.CASES["export"])
    assert [case for name, case in taken if name == "luck"] == [*words.CASES["luck"]] * 2
    assert hammer.case("flip", 1) == ("", None)


def test_what_is_tried_less_often_than_asked_counts_the_runs_before(tmp_path: Path) -> None:
    tally = tmp_path / "tally.jsonl"
    assert not counted(tally)
    lines = [
        [["interrupt", "sql", 2, 0], ["flip", "", 3, 1]],
        [["interrupt", "sql", 1, 0], ["kill", "sql", 9, 0]],
    ]
    tally.write_text("".join(json.dumps({"seed": 1, "until": 9, "tried": line}) + "\n" for line in lines))
    hammer = Hammer.__new__(Hammer)
    hammer.cases = {name: words.CASES[name] for name in ("games", "sql")}
    hammer.before, hammer.done = counted(tally), Counter()
    kinds = ["interrupt", "flip"]
    assert hammer.lacking(kinds, 3) == {("interrupt", "games")}
    assert hammer.lacking(kinds, 4) == {("interrupt", "games"), ("interrupt", "sql"), ("flip", "")}
    hammer.done.update({("interrupt", "games"): 3})
    assert not hammer.lacking(kinds, 3)


def test_a_command_that_does_not_end_is_killed_but_not_for_what_it_waited_for_a_processor(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    process = subprocess.Popen(["sleep", "600"])
    running = forks._Running.__new__(forks._Running)
    running.command, running.pid = Command(["games"], "", python=sys.executable), process.pid
    running.began = running.until = time.monotonic() - 1
    running.is_told, running.killed, running.status = True, False, None
    assert 0 <= forks._kept_waiting(process.pid) < 600
    monkeypatch.setattr(forks, "_kept_waiting", lambda _: 600.0)
    running.look(True)
    assert not running.killed
    monkeypatch.setattr(forks, "_kept_waiting", lambda _: 0.0)
    running.look(True)
    assert running.killed
    assert process.wait() == -signal.SIGKILL
