"""Games that users write in a file of their own: words only, and what is wrong with a file."""

import re
from pathlib import Path

import pytest
from support.commands import railbird

from railbird.parsers.grammar import Grammar
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
    compared = railbird(folder, "compare", "Ann", "Bea")
    assert (compared.returncode, compared.stdout.split(":")[0]) == (0, "Undecided between Ann and Bea")
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


def test_a_new_file_works_as_it_stands_and_check_says_what_it_does_not_explain(tmp_path: Path) -> None:
    assert "river_rats.py" in railbird(tmp_path, "variant", "new", "river-rats").stdout
    again = railbird(tmp_path, "variant", "new", "river-rats")
    assert (again.returncode, again.stderr) == (2, "railbird: river_rats.py is there already\n")
    assert "is no name of a game" in railbird(tmp_path, "variant", "new", "River Rats").stderr
    known = railbird(tmp_path, "variant", "new", "tacs")
    assert (known.returncode, (tmp_path / "tacs.py").exists()) == (2, False)
    assert known.stderr == "railbird: railbird knows a game called 'tacs'; give yours another name\n"
    bare = railbird(tmp_path, "variant")
    assert (bare.returncode, bare.stderr) == (0, "")
    assert bare.stdout == railbird(tmp_path, "variant", "--help").stdout
    named = ("--variant", "river_rats.py")
    railbird(tmp_path, "simulate", "river-rats", *named, "--hands", "60", "--out", "clean.log")
    log = (tmp_path / "clean.log").read_text()
    assert " gives up\n" in log
    assert " loses " in log
    assert " awarded " not in log
    done = railbird(tmp_path, "variant", "check", "river_rats.py", "clean.log")
    assert (done.returncode, done.stdout) == (0, "The file explains all 60 hands of river-rats.\n")
    # The words of one line are others, and one award is wrong.
    lines = log.replace(" calls\n", " matches\n").splitlines()
    at = next(k for k, line in enumerate(lines) if " wins " in line and "gives up" in lines[k - 1] and k > 5)
    player, won = lines[at].split(" wins ")
    lines[at] = f"{player} wins {int(won) + 7}"
    (tmp_path / "wrong.log").write_text("\n".join(lines))
    done = railbird(tmp_path, "variant", "check", "river_rats.py", "wrong.log")
    assert done.returncode == 1
    count = log.count(" calls\n")
    assert done.stdout.startswith(f"Not explained yet: {count} lines and ")
    assert f"{count}  wrong.log:" in done.stdout.replace("\xa0", " ")
    assert "{p} matches" in done.stdout
    assert f"award {int(won) + 7}, the written rules pay {won}" in done.stdout
    assert f"{at + 1}  {lines[at]}" in done.stdout


def test_the_commands_of_the_tutorial_work_as_they_stand(tmp_path: Path) -> None:
    page = (Path(__file__).parents[2] / "docs" / "add-a-variant.md").read_text()
    (commands,) = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    assert commands.count("\n") > 5
    for line in commands.splitlines():
        program, *words = line.split()
        assert program == "railbird"
        done = railbird(tmp_path, *words)
        assert done.returncode == 0, (line, done.stdout, done.stderr)
    assert (tmp_path / "rats-report" / "index.html").exists()


def test_functions_of_a_game_are_found_for_a_store_by_its_file(folder: Path) -> None:
    assert railbird(folder, "ingest", "club.log", "--variant", "club.py").returncode == 0
    done = railbird(folder, "bankroll", "--variant", "club.py")
    assert done.returncode == 0, done.stderr
    done = railbird(folder, "bankroll", "--variant", "club.py", "--stack", "100")
    assert done.returncode == 2
    assert "--stack: for a folder of logs" in done.stderr


def test_a_number_may_be_printed_without_its_minus_sign() -> None:
    grammar = Grammar("award {p} wins {n}\naward {p} loses {m}")
    assert [grammar.write("award", "Ann", chips) for chips in (3, 0, -4)] == [
        "Ann wins 3",
        "Ann wins 0",
        "Ann loses 4",
    ]
    assert [grammar.accepts(line) for line in (b"Ann loses 4", b"Ann loses -4")] == [True, False]


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("VARIANT = 7\n", None, "VARIANT is a int"),
        ("x = 1\n", None, "nothing is called VARIANT"),
        ("x = 1\nVARIANT = nothing\n", 2, "NameError"),
        ("x = 1\n\nVARIANT = (\n", 3, "was never closed"),
        (WORDS.replace('name="club"', 'name="bounty"'), None, "another game is called 'bounty'"),
        (WORDS.replace("{p} mucks", "{q} mucks {z}"), 11, "no field {z}"),
        (WORDS.replace("fold   {p}", "folded {p}"), 11, "no event is called 'folded'"),
        (
            WORDS.replace('until_red=""', 'until_red="", stack=-4'),
            17,
            "a stack of -4; it is a number of chips",
        ),
        (WORDS.replace('until_red=""', 'until_red="", stack=None'), 17, "a stack of None"),
        (WORDS.replace('until_red=""', 'until_red="", blinds=(1, "2")'), 17, "a blind of '2'"),
        (WORDS.replace('until_red=""', 'until_red="", boards=(0, 3, 4, 99)'), 17, "99 cards on the board"),
        (
            WORDS.replace('until_red=""', 'until_red="", boards=(0, 3, 1, 5)'),
            17,
            "no street takes cards away",
        ),
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


def test_a_file_must_end_in_py(tmp_path: Path) -> None:
    path = tmp_path / "club.txt"
    path.write_text(WORDS)
    with pytest.raises(VariantError) as raised:
        add_file(path)
    assert str(raised.value) == f"{path}: the name of a file that defines a game ends in .py"
