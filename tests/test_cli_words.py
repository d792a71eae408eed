"""Words on the command line: mistyped ones, completed ones, and options that mean the same in every command."""

import os
import re
import shlex
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, Run
from typer.main import get_command

from railbird.analytics.players import alike
from railbird.cli.app import app
from railbird.ingest import ingest
from railbird.replay.simulate import simulate

PAGE = ROOT / "docs" / "options.md"


def options() -> Iterator[tuple[str, Any]]:
    """Each option of each command, with the command's name."""

    def walked(command: Any, name: str) -> Iterator[tuple[str, Any]]:
        for below, one in getattr(command, "commands", {}).items():
            yield from walked(one, f"{name} {below}".strip())
        for param in command.params:
            if param.param_type_name == "option":
                yield name, param

    return walked(get_command(app), "")


def test_the_page_lists_the_options_that_several_commands_take() -> None:
    counts = Counter(param.opts[0] for _, param in options())
    shared = {option for option, count in counts.items() if count > 1}
    rows = [line.split("|")[1] for line in PAGE.read_text().splitlines() if line.startswith("| `-")]
    listed = re.findall(r"--[a-z-]+", " ".join(rows))
    assert len(listed) == len(set(listed))
    assert set(listed) == shared


def test_a_shared_option_takes_the_same_kind_of_value() -> None:
    kinds: dict[str, set[str]] = defaultdict(set)
    for _, param in options():
        kinds[param.opts[0]].add(param.metavar or "")
    differ = {option for option, found in kinds.items() if len(found) > 1}
    # A file or a folder; a seat or a word; with or without csv; a player's name, also NAME=STYLE, ME or X.
    assert differ == {"--out", "--as", "--format", "--player", "--against"}


@pytest.mark.parametrize(
    ("arguments", "alike"),
    [
        (("hnds",), "'hands'"),
        (("hands", "--plyer", "x"), "--player"),
        (("stats", "--show", "straets"), "; most like it: 'streets', 'strength', 'ranges'"),
        (("hands", "--format", "Jsn"), "; most like it: 'json'"),
        (("audit", "fidings"), "; most like it: 'findings', 'standings'"),
    ],
)
def test_a_mistyped_word_is_one_line_with_what_is_like_it(
    run: Run, arguments: tuple[str, ...], alike: str
) -> None:
    code, out, err = run(*arguments)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert alike in err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("stats", "--shwo", "x"), "No such option: --shwo (Possible options: --show)"),
        (("hands", "--palyer", "x"), "No such option: --palyer (Possible options: --player)"),
        (
            ("ingest", "--join-lien", "x"),
            "No such option: --join-lien (Possible options: --join-line, --join)",
        ),
        (("ahnds",), "No such command 'ahnds'. Did you mean 'hands'?"),
        (("hands", "--sort", "olst"), "most like it: 'lost'"),
    ],
)
def test_what_one_slip_makes_of_a_word_is_named_first(
    run: Run, arguments: tuple[str, ...], message: str
) -> None:
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_letters_in_another_order_are_one_slip() -> None:
    assert alike("--jbos", ["--join", "--jobs"]) == ["--jobs", "--join"]
    assert alike("--jbos", ["--join", "--verbose", "--job", "--jobs"])[0] == "--jobs"
    assert alike("ab", ["cd", "ba", "zz"]) == ["ba"]
    assert alike("Strat", ["strata", "start", "street"]) == ["strata", "start", "street"]
    assert alike("x", []) == alike("B", ["A", "C"]) == []


def test_a_word_like_none_gets_no_suggestion(run: Run) -> None:
    _, _, err = run("games", "--format", "xyz")
    assert err == "railbird: Invalid value for '--format': 'xyz' is not one of 'table', 'csv', 'json'.\n"


def completed(words: str, place: int | None = None) -> list[str]:
    """What Bash is offered for a word of a line, the last one if no other is meant."""
    place = words.count(" ") if place is None else place
    done = subprocess.run(
        [sys.executable, "-m", "railbird"],
        env=os.environ
        | {"_RAILBIRD_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(place)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stderr == ""
    return [*filter(None, done.stdout.splitlines())]


def test_the_shell_completes_commands_options_and_choices() -> None:
    assert completed("railbird han") == ["hands"]
    assert {"--did", "--situation", "--pot"} <= {*completed("railbird hands --")}
    assert completed("railbird hands --format ") == ["table", "csv", "json", "playlist"]
    assert completed("railbird hands --situation miss") == ["missed-draw"]
    assert completed("railbird hands --did ch") == ["check", "check-raise"]


def test_the_shell_completes_names_of_the_store(tmp_path: Path) -> None:
    logs = tmp_path / "finals"
    logs.mkdir()
    for number, other in enumerate(("Oriole", "Heron", "$(touch${IFS}x)", "-x", "a'b")):
        text = simulate("holdem-mit", [("Otter", "random"), (other, "random")], 2, number)
        (logs / f"round-{number}.txt").write_text(text, newline="")
    store = f"--store {tmp_path}/store"
    ingest([logs], tmp_path / "store")
    assert completed(f"railbird opponent {store} ") == ["Heron", "Oriole", "Otter"]
    assert completed(f"railbird why {store} Otter --against O") == ["Oriole", "Otter"]
    assert completed(f"railbird hands {store} --player H") == ["Heron"]
    assert completed(f"railbird stats {store} --event ") == ["finals"]
    assert completed(f"railbird hands {store} --game ") == ["holdem-mit"]
    assert completed(f"railbird bankroll {store} --match ro") == [
        f"round-{number}.txt" for number in range(5)
    ]
    # Bash hands on what stands behind the cursor.
    assert completed(f"railbird opponent H {store}", 2) == ["Heron"]
    assert completed(f"railbird opponent H --store = {tmp_path}/store", 2) == ["Heron"]
    # Where there is no store nothing is offered, and nothing is said.
    assert completed(f"railbird opponent --store {logs} ") == []
    assert completed(f"railbird opponent --store {tmp_path}/none ") == []


def test_bash_takes_a_name_with_blanks_as_one_word(tmp_path: Path) -> None:
    """The words of its script, run by Bash: it splits what it is offered at line ends alone."""
    logs = tmp_path / "cup"
    logs.mkdir()
    for number, other in enumerate(("Dr. No", "Dr. Yes", "Dr.  Wide", "x; touch y")):
        text = simulate("holdem-mit", [("Otter", "random"), (other, "random")], 2, number)
        (logs / f"{number}.txt").write_text(text, newline="")
    store = tmp_path / "store"
    ingest([logs], store)
    run = tmp_path / "railbird"
    run.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, "-m", "railbird"])} "$@"\n')
    run.chmod(0o755)

    def offered(word: str) -> list[str]:
        script = f"""
            eval "$({shlex.quote(str(run))} --show-completion)"
            COMP_WORDS=(railbird opponent --store {shlex.quote(str(store))} {shlex.quote(word)}) COMP_CWORD=4
            _railbird_completion {shlex.quote(str(run))}
            printf '%s\\n' "${{COMPREPLY[@]}}"; exit $?
        """
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=True)
        return done.stdout.splitlines()

    assert offered("Dr") == ["Dr.\\ No", "Dr.\\ Yes"]
    assert offered("'Dr. Y") == ["Dr. Yes"]
    assert offered("x") == [""]


def test_the_completion_script_of_bash_is_bash() -> None:
    # The shell is found by the processes above: bash must be one of them, whatever runs the tests.
    command = shlex.join([sys.executable, "-m", "railbird", "--show-completion"])
    done = subprocess.run(["bash", "-c", f"{command}; exit $?"], capture_output=True, text=True, check=True)
    assert "complete -o default -F _railbird_completion railbird" in done.stdout
    subprocess.run(["bash", "-n"], input=done.stdout, text=True, check=True)


def test_j_is_the_number_of_threads(run: Run) -> None:
    code, _, err = run("ingest", "-j", "0", "x")
    assert code == 2
    assert err.startswith("railbird: Invalid value for '--workers' / '-j': ")


def test_game_says_what_logs_are_of_only_where_logs_are_kept() -> None:
    said: dict[str, set[str]] = defaultdict(set)
    for command, param in options():
        if "--game" in param.opts:
            said[param.help].add(command)
    reading = said.pop("Game of the logs [default: the dialect's].")
    assert reading == {"ingest", "watch", "serve"}
    assert all(re.search("[Oo]nly this game|'s game|The game, if", text) for text in said), said


def test_a_command_without_game_says_where_it_is_given(run: Run) -> None:
    taking = {command for command, param in options() if "--game" in param.opts}
    assert {"stats", "hands", "bankroll", "compare", "verify", "luck", "standings", "collusion"} <= taking
    for words in (("replay", "1#0"), ("export", "out")):
        assert words[0] not in taking
        code, out, err = run(*words, "--game", "bounty")
        assert (code, out) == (2, "")
        assert err == (
            "railbird: No such option: --game; logs of a game are read by "
            "`railbird ingest LOGS --game GAME`, without it here\n"
        )
