"""Folders with bots: programs that play over the socket of an engine, and what the log says when they fail."""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay.bots import GARBLED, Answer
from railbird.replay.records import CALL, CHECK, FOLD, RAISE
from railbird.variants import mit_bots
from railbird.variants.mit_bots import BotError, SocketBot, answer_of

PROGRAM = """
import os, random, socket, sys
def main(answer):
    with socket.create_connection(("localhost", int(sys.argv[1]))) as s, s.makefile("rw") as f:
        print("hello", flush=True)
        for number, line in enumerate(f):
            with open("heard", "a") as heard:
                heard.write(line)
            if line.strip() == "Q":
                return
            said = answer(number, line.split())
            f.write(said + "\\n")
            f.flush()
"""
"""A client of the protocol that is not the skeleton's."""
CALLER = """
def legal(clauses, state={}):
    'The clause of a call or a check: what both have put in on this street.'
    for c in clauses:
        if c[0] == "P":
            state.update(me=int(c[1:]), turn=0, pips=[1, 2], first=True)
        elif c[0] == "B":
            state.update(turn=1, pips=[0, 0])
        elif c[0] in "CKR":
            if c[0] == "C":
                state["pips"][state["turn"]] = max(state["pips"])
            elif c[0] == "R":
                state["pips"][state["turn"]] = int(c[1:])
            state["turn"] = 1 - state["turn"]
    if any(c[0] == "D" for c in clauses):
        return "K"
    return "K" if state["pips"][0] == state["pips"][1] else "C"
"""

Made = Callable[..., Path]


@pytest.fixture
def bot(tmp_path: Path) -> Made:
    """Makes a folder of a bot from the Python expression of its answer: `number` of the line, its `clauses`."""

    def make(answer: str, build: list[str] | None = None) -> Path:
        folder = tmp_path / "my bot"
        folder.mkdir()
        text = PROGRAM + CALLER + f"main(lambda number, clauses: {answer})\n"
        (folder / "player.py").write_text(text, encoding="utf-8")
        commands = {"build": build or [], "run": [sys.executable, "player.py"]}
        (folder / "commands.json").write_text(json.dumps(commands), encoding="utf-8")
        return folder

    return make


def played(run: Run, folder: Path, *more: object, game: str = "bounty") -> tuple[int, str, str]:
    players = ("--player", f"me={folder}", "--player", "Max=loose-aggressive")
    return run("simulate", game, *players, "--hands", 60, "--seed", 4, *more)


def test_a_program_hears_the_hand_and_plays_it(run: Run, bot: Made, tmp_path: Path) -> None:
    folder = bot("legal(clauses)")
    code, log, err = played(run, folder)
    assert (code, err) == (0, "")
    heard = [line.split() for line in (folder / "heard").read_text("utf-8").splitlines()]
    assert heard.pop() == ["Q"]
    assert all(line[0].startswith("T") and 0 < float(line[0][1:]) <= 60 for line in heard)
    (tmp_path / "a.log").write_text(log, encoding="utf-8")
    ingest([tmp_path / "a.log"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.execute("select count(*) from faults").fetchall() == [(0,)]
        verdicts = store.execute("select distinct verdict from hands").fetchall()
        assert {verdict for (verdict,) in verdicts} <= {"ok", "engine_deviation"}
        hands = store.execute(
            "select s.hole, s.bounty_rank, s.delta, s.position, o.hole, h.board "
            "from seats s join seats o using (match_id, hand_index) join hands h using (match_id, hand_index) "
            "where s.seat = 0 and o.seat = 1 order by hand_index"
        ).fetchall()
    begun = [line for line in heard if line[1:2] and line[1][0] == "P"]
    assert len(begun) == len(hands) == 60
    ends = [line for line in heard if any(clause[0] == "D" for clause in line)]
    boards = ""
    at = 0
    for (hole, rank, delta, position, other, board), first, last in zip(hands, begun, ends, strict=True):
        assert first[1:4] == [f"P{int(position == 'BB')}", "H" + ",".join(hole), f"G{rank}"]
        assert f"D{delta:.0f}" in last
        (hit,) = (clause for clause in last if clause[0] == "Y")
        mine = any(card[0] == rank for card in [*hole, *(board or [])])
        assert hit[1] == str(int(mine))
        shown = [clause for clause in last if clause[0] == "O"]
        assert shown in ([], ["O" + ",".join(other)])
        start = heard.index(first, at)
        at = heard.index(last, start)
        dealt = [clause for line in heard[start : at + 1] for clause in line if clause[0] == "B"]
        boards = dealt[-1][1:] if dealt else ""
        assert boards == ",".join(board or [])


def test_the_same_answers_are_the_same_log(run: Run, bot: Made) -> None:
    folder = bot("legal(clauses)")
    assert played(run, folder)[1] == played(run, folder)[1]


@pytest.mark.parametrize(
    ("answer", "said", "trouble"),
    [
        ("'' if number == 9 else legal(clauses)", "me response misformatted: \n", ""),
        ("'hello ?' if number == 9 else legal(clauses)", "me response misformatted: hello ?\n", ""),
        ("'R99999' if number == 0 else legal(clauses)", "me attempted illegal RaiseAction\n", ""),
        ("'R1.5' if number == 0 else legal(clauses)", "me response misformatted: R1.5\n", ""),
        ("'K' if number == 0 else legal(clauses)", "me attempted illegal CheckAction\n", ""),
        (
            "1 / 0 if number == 9 else legal(clauses)",
            "me disconnected\n",
            "ZeroDivisionError: division by zero",
        ),
        ("os._exit(3) if number == 9 else legal(clauses)", "me disconnected\n", "closed the connection"),
    ],
)
def test_a_bad_answer_is_what_the_engine_makes_of_it(
    run: Run, bot: Made, tmp_path: Path, answer: str, said: str, trouble: str
) -> None:
    code, log, err = played(run, bot(answer))
    assert code == 0
    assert log.count(said) == 1
    assert (trouble in err) if trouble else err == ""
    assert err.count("\n") == bool(trouble)
    (tmp_path / "a.log").write_text(log, encoding="utf-8")
    ingest([tmp_path / "a.log"], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        assert store.execute("select count(*) from hands").fetchall() == [(60,)]
        assert store.execute("select count(*) from unknown_lines").fetchall() == [(0,)]


def test_a_program_that_hangs_runs_out_of_time_and_is_ended(bot: Made, tmp_path: Path) -> None:
    from railbird.replay.simulate import simulate

    folder = bot("(open('pid', 'w').write(str(os.getpid())), __import__('time').sleep(60)) and ''")
    made = SocketBot(folder, clock=0.3)
    begun = time.monotonic()
    log = simulate(
        "holdem-mit",
        [("me", "x"), ("Max", "maniac")],
        20,
        1,
        others=lambda style, rng: made if style == "x" else None,
    )
    made.stop()
    assert time.monotonic() - begun < 9
    assert log.count("me ran out of time\n") == 1
    assert "ran out of time; it printed: hello" in made.trouble
    with pytest.raises(ProcessLookupError):
        os.kill(int((folder / "pid").read_text()), 0)


def test_a_program_that_does_not_connect_is_never_asked(run: Run, bot: Made) -> None:
    folder = bot("legal(clauses)")
    (folder / "player.py").write_text("print('no such module'); raise SystemExit(1)\n", encoding="utf-8")
    code, log, err = played(run, folder)
    assert code == 0
    assert err == f"railbird: {folder}: did not connect; it printed: no such module\n"
    assert "me folds" in log
    assert "me disconnected" not in log
    assert "me raises" not in log


def test_what_is_no_bot_is_said_in_one_line(run: Run, bot: Made, tmp_path: Path) -> None:
    def error(folder: Path, game: str = "bounty") -> str:
        code, out, err = played(run, folder, game=game)
        assert (code, out, err.count("\n")) == (2, "", 1)
        return err

    assert "commands.json cannot be read: No such file or directory" in error(tmp_path / "none")
    (tmp_path / "empty").mkdir()
    commands = tmp_path / "empty" / "commands.json"
    for text in (
        "{",
        "[]",
        '{"run": []}',
        '{"run": "python"}',
        '{"run": ["a", 1]}',
        '{"build": 3, "run": ["a"]}',
    ):
        commands.write_text(text, encoding="utf-8")
        assert "commands.json" in error(tmp_path / "empty")
    commands.write_text('{"build": [], "run": ["no-such-program"]}', encoding="utf-8")
    assert "'no-such-program' cannot be run: No such file or directory" in error(tmp_path / "empty")
    build = json.dumps({"build": [sys.executable, "-c", "print('no compiler'); exit(1)"], "run": ["true"]})
    commands.write_text(build, encoding="utf-8")
    assert "cannot be built: no compiler" in error(tmp_path / "empty")
    folder = bot("legal(clauses)")
    assert "toss has no folders with bots: its messages to bots are not known" in error(folder, "toss")
    assert "plays only where the engine's messages are known" in error(
        folder, "acpc/holdem.limit.2p.reverse_blinds"
    )
    with pytest.raises(BotError):
        SocketBot(tmp_path / "none")


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="processes are not listed here")
def test_a_build_that_takes_too_long_is_ended_with_what_it_started(
    run: Run, bot: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mit_bots, "_BUILD", 2.0)
    folder = bot("legal(clauses)", ["sh", "-c", "sleep 50 & echo $! > pid; wait"])
    begun = time.monotonic()
    code, out, err = played(run, folder)
    assert time.monotonic() - begun < 20
    assert (code, out, err) == (2, "", f"railbird: {folder} cannot be built: it takes more than 2 s\n")
    pid = int((folder / "pid").read_text())
    while _runs(pid) and time.monotonic() - begun < 30:
        time.sleep(0.05)
    assert not _runs(pid)


def _runs(pid: int) -> bool:
    """Whether a process runs; one that has ended is a zombie until its parent has noted it."""
    try:
        return Path("/proc", str(pid), "stat").read_text().rpartition(") ")[2][0] != "Z"
    except OSError:
        return False


def test_a_folder_without_a_slash_is_named_with_one(
    run: Run, bot: Made, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = bot("legal(clauses)")
    monkeypatch.chdir(folder.parent)
    assert played(run, Path(folder.name)) == (
        2,
        "",
        "railbird: no style of play is called 'my bot'; the folder is written ./my bot\n",
    )


@pytest.mark.parametrize(
    ("text", "can_raise", "answer"),
    [
        ("F", True, Answer(FOLD)),
        ("C3", True, Answer(CALL)),
        ("K junk", True, Answer(CHECK)),
        ("R30", True, Answer(RAISE, 30)),
        ("R\u0663\u0660", True, Answer(RAISE, 30)),
        ("R12.5", True, Answer(GARBLED, text="R12.5")),
        ("Rx", False, Answer(RAISE)),
        ("f", True, Answer(GARBLED, text="f")),
        ("", True, Answer(GARBLED)),
    ],
)
def test_an_answer_is_read_by_its_first_character(text: str, can_raise: bool, answer: Answer) -> None:
    assert answer_of(text, can_raise) == answer
