"""Games that users write in a file of their own: words only, and what is wrong with a file."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from railbird.replay.simulate import simulate
from railbird.variants.registry import VariantError, add_file

WORDS = '''
import re
from dataclasses import replace
from railbird.parsers import mit
from railbird.parsers.dialect import Dialect
from railbird.parsers.grammar import Grammar
from railbird.replay.games import Profile
from railbird.variants import holdem_mit
from railbird.variants.properties import Variant

GRAMMAR = Grammar("""
    blind  {p} posts blind {n}
    fold   {p} mucks
    raise  {p} makes it {n}
""", base=mit.GRAMMAR)
SIGNS = ((b" posts blind ", re.compile(rb"(.+) posts blind [0-9]+\\s*")),)
GAME = replace(holdem_mit.GAME, name="club", until_red="", deviations=(), profiles=(Profile("club"),))
VARIANT = Variant(GAME, replace(holdem_mit.PROPERTIES, game="club", title="the club's hold'em"),
                  (Dialect("club", "club", GRAMMAR, mit.cut, signs=SIGNS),))
'''


def in_their_words(hands: int) -> str:
    text = simulate("holdem-mit", [("Ann", "random"), ("Bea", "tight-passive")], hands, 3, "base")
    for said, instead in (
        (" posts the blind of ", " posts blind "),
        (" folds", " mucks"),
        (" raises to ", " makes it "),
    ):
        text = text.replace(said, instead)
    return text


def railbird(folder: Path, *words: str, **more: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "railbird", *words]
    return subprocess.run(
        command, cwd=folder, capture_output=True, text=True, env=os.environ | more, check=False
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "club.py").write_text(WORDS)
    (tmp_path / "club.log").write_text(in_their_words(40))
    return tmp_path


@pytest.mark.parametrize("by", ["option", "variable"])
def test_a_file_of_words_is_read_verified_and_answered_without_it(by: str, folder: Path) -> None:
    if by == "option":
        done = railbird(folder, "ingest", "club.log", "--variant", "club.py")
    else:
        done = railbird(folder, "ingest", "club.log", RAILBIRD_VARIANTS=str(folder / "club.py"))
    assert done.returncode == 0, done.stderr
    assert "40 ok" in done.stdout
    said = railbird(folder, "sql", "select game, dialect, hands from matches", "--format", "csv")
    assert said.stdout.splitlines() == ["game,dialect,hands", "club,club,40"]
    assert railbird(folder, "bankroll").returncode == 0
    assert railbird(folder, "stats").returncode == 0
    assert (
        "the club's hold'em" in railbird(folder, "sql", "select title from games", "--format", "csv").stdout
    )


def test_without_the_file_the_log_is_refused_and_read_later_with_it(folder: Path) -> None:
    first = railbird(folder, "ingest", "club.log")
    assert "40 ok" not in first.stdout
    again = railbird(folder, "ingest", "club.log", "--variant", "club.py")
    assert "40 ok" in again.stdout, again.stdout + again.stderr


def test_a_log_is_read_again_where_the_file_is_new_or_another_and_not_without_it(folder: Path) -> None:
    def told(*words: str) -> list[str]:
        assert railbird(folder, "ingest", "club.log", *words).returncode == 0
        query = (
            "select game, dialect, hands, count(*) over () from matches; select variants is null from files"
        )
        return [
            line
            for one in query.split("; ")
            for line in railbird(folder, "sql", one, "--format", "csv").stdout.splitlines()[1:]
        ]

    told()
    assert told("--variant", "club.py") == ["club,club,40,1", "False"]
    before = railbird(folder, "sql", "select variants from files", "--format", "csv").stdout
    # Without the file, what was read with it stays.
    assert told() == ["club,club,40,1", "False"]
    (folder / "club.py").write_text(WORDS + "\n# Another hash.\n")
    assert told("--variant", "club.py") == ["club,club,40,1", "False"]
    assert railbird(folder, "sql", "select variants from files", "--format", "csv").stdout != before


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("VARIANT = 7\n", None, "VARIANT is a int"),
        ("x = 1\n", None, "nothing is called VARIANT"),
        ("x = 1\nVARIANT = nothing\n", 2, "NameError"),
        ("x = 1\n\nVARIANT = (\n", 3, "was never closed"),
        (WORDS.replace('name="club"', 'name="bounty"'), None, "another game is called 'bounty'"),
        (WORDS.replace("{p} mucks", "{q} mucks {x}"), 11, "no field {x}"),
        (WORDS.replace("fold   {p}", "folded {p}"), 11, "no event is called 'folded'"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(text: str, line: int | None, said: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.py"
    path.write_text(text)
    with pytest.raises(VariantError) as raised:
        add_file(path)
    message = str(raised.value)
    assert said in message
    assert "\n" not in message
    assert message.startswith(f"{path}:{line}: " if line else f"{path}: ")
