"""A game in other words is a file of at most twelve lines on top of a game that railbird knows."""

import ast
import re
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from support.commands import railbird

from railbird.replay import replaying, simulate
from railbird.replay.bots import bot_of
from railbird.replay.games import Game, Profile
from railbird.variants import holdem_mit

PAGE = Path(__file__).parents[2] / "docs" / "add-a-variant.md"
(CLUB,) = re.findall(r"```python\n(from [^`]*?in_words.*?)```", PAGE.read_text(), re.DOTALL)
STACK = 200


@pytest.fixture(scope="module")
def game() -> Game:
    """The club's rules in MIT's words, for the simulator alone."""
    rules = holdem_mit.GAME.renamed("club-in-old-words")
    return Game(
        name=rules.name,
        stack=STACK,
        blinds=(5, 10),
        streets=rules.streets,
        source="",
        profiles=(Profile("only"),),
        family=rules.family,
        forward=rules.forward,
    )


def in_their_words(text: str) -> str:
    """A log of the simulator, line by line in the club's words: all-in bets, raises and the calls of them too."""
    lines, before, most = [], 0, 0
    for line in text.split("\n"):
        if line.startswith(("Round #", "Flop ", "Turn ", "River ")):
            before, most = (0 if line.startswith("Round") else int(line.rsplit("(", 1)[1][:-1])), 0
        if said := re.fullmatch(r"(.+) (?:bets|raises to) (\d+)", line):
            most = int(said[2])
            if before + most == STACK:
                line = f"{said[1]} goes all in for {most}"
        elif line.endswith(" calls") and before + most == STACK:
            line = f"{line.removesuffix(' calls')} goes all in for {most}"
        elif said := re.fullmatch(r"(.+) awarded (-?)(\d+)", line):
            line = f"{said[1]} {'loses' if said[2] else 'wins'} {said[3]}"
        elif " Pokerbots - " in line:
            line = f"Club night: {line.split(' Pokerbots - ')[1].replace(' vs ', ' against ')}"
        line = line.replace("Round #", "Hand #").replace(" posts the blind of ", " posts blind ")
        lines.append(line.replace(" folds", " mucks"))
    return "\n".join(lines)


@pytest.fixture(scope="module")
def old(game: Game) -> str:
    """A log in MIT's words."""
    players = [
        simulate.Player(name, bot_of("random", Random(f"3/bot {seat}")))
        for seat, name in enumerate(("Ann", "Bea Lee"))
    ]
    order = simulate.Order(
        game, holdem_mit.DIALECT.grammar, tuple(players), 120, 3, game.profiles[0], "6.9630 MIT"
    )
    assert game.forward is not None
    with pytest.MonkeyPatch.context() as patch:
        # Other tests ask which games there are.
        patch.setattr(replaying, "_KNOWN", [*replaying.known_games(), game])
        text: str = game.forward(order).text
    return text


@pytest.fixture(scope="module")
def log(old: str) -> str:
    return in_their_words(old)


def test_a_file_of_twelve_lines_reads_another_engines_words(old: str, log: str, tmp_path: Path) -> None:
    assert CLUB.count("\n") <= 12
    (tmp_path / "club.py").write_text(CLUB)
    # A logger's words before each line are taken off.
    (tmp_path / "club.log").write_text("".join(f"INFO:game:{line}\n" for line in log.split("\n")))
    assert log.count(" goes all in for ") > 20
    assert {word for word in ("bets", "raises to", "awarded") if f" {word} " in log} == {"bets", "raises to"}
    done = railbird(tmp_path, "variant", "check", "club.py", "club.log")
    assert (done.returncode, done.stdout) == (0, "The file explains all 120 hands of club.\n"), done.stderr
    assert railbird(tmp_path, "ingest", "club.log", "--variant", "club.py").returncode == 0
    said = rows(tmp_path, "select game, dialect, hands, blinds[2] from matches")
    assert said == ["club,club,120,10.0"]
    # An amount alone is a call, a bet or a raise, whichever the chips make it.
    kinds = rows(
        tmp_path,
        "select action, count(*) from actions where action in ('bet', 'call', 'raise') group by 1 order by 1",
    )
    words = {"bet": " bets ", "call": " calls\n", "raise": " raises to "}
    assert kinds == [f"{kind},{old.count(word)}" for kind, word in words.items()]
    assert rows(tmp_path, "select count(*) from unknown_lines") == ["0"]
    assert railbird(tmp_path, "variant", "check", "club.py", "wrong.log").returncode == 2


def rows(folder: Path, query: str) -> list[str]:
    done: subprocess.CompletedProcess[str] = railbird(folder, "sql", query, "--format", "csv")
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[1:]


def test_a_wrong_award_in_other_words_is_found(log: str, tmp_path: Path) -> None:
    (tmp_path / "club.py").write_text(CLUB)
    lines = log.split("\n")
    at = next(k for k, line in enumerate(lines) if k > 200 and " loses " in line)
    player, lost = lines[at].split(" loses ")
    lines[at] = f"{player} loses {int(lost) + 1}"
    (tmp_path / "wrong.log").write_text("\n".join(lines))
    done = railbird(tmp_path, "variant", "check", "club.py", "wrong.log")
    assert done.returncode == 1
    assert done.stdout.startswith("Not explained yet: 1 of 120 hands of club.")
    assert f"{at + 1}  {lines[at]}" in done.stdout


def test_hands_that_begin_alike_are_those_of_the_engine_that_knows_more_lines(
    sample_logs: Path, log: str, tmp_path: Path
) -> None:
    (tmp_path / "club.py").write_text(CLUB)
    (tmp_path / "club.log").write_text(log)
    jar = sorted((sample_logs / "holdem-2017").glob("*.txt"))[0]
    (tmp_path / "jar.log").write_bytes(jar.read_bytes())
    done = railbird(tmp_path, "ingest", "club.log", "jar.log", "--variant", "club.py")
    assert done.returncode == 0, done.stderr
    dialects = rows(tmp_path, "select dialect from matches order by 1")
    assert dialects == ["club", "mit-jar"]


def test_lines_that_no_other_dialect_has_identify_a_dialect_whose_hands_begin_as_mits(
    log: str, tmp_path: Path
) -> None:
    mits = CLUB.replace("    round        Hand #{n}, {p} ({n}), {p} ({n})\n", "")
    (tmp_path / "club.py").write_text(mits)
    (tmp_path / "club.log").write_text(log.replace("Hand #", "Round #"))
    assert railbird(tmp_path, "ingest", "club.log", "--variant", "club.py").returncode == 0
    assert rows(tmp_path, "select dialect, hands from matches") == ["club,120"]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("    round        {p} ({n}), {p} ({n}) play\n", "must begin with words"),
        ("    round        Hand #{n}, {p} and {p}\n", "must have the number of the hand"),
    ],
)
def test_a_first_line_of_hands_that_cannot_be_cut_by_is_a_mistake(
    line: str, said: str, tmp_path: Path
) -> None:
    (tmp_path / "club.py").write_text(re.sub(r"    round .*\n", line, CLUB))
    (tmp_path / "club.log").write_text("")
    done = railbird(tmp_path, "ingest", "club.log", "--variant", "club.py")
    assert done.returncode == 2
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


EVERY_GAME = """
import sys
from pathlib import Path
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.variants.properties import Properties
from railbird.variants.registry import VARIANTS, add_file

folder = Path(sys.argv[1])
for variant in VARIANTS:
    if callable(variant.dialects) or not isinstance(variant.properties, Properties):
        continue
    name = f"own-{variant.game.name}"
    path = folder / f"{name}.py"
    path.write_text(
        "from railbird.variants.registry import VARIANTS\\n"
        f"base = next(one for one in VARIANTS if one.game.name == {variant.game.name!r})\\n"
        f"VARIANT = base.in_words({name!r}, 'award  {{p}} takes {{n}} home in {name}')\\n"
    )
    add_file(path)
    log = folder / f"{name}.log"
    log.write_text(simulate(name, [("Ann", "loose-aggressive"), ("Bea", "random")], 40, 5))
    ingest([log], folder / name, variants=[path])
    with open_store(folder / name) as store:
        rows = store.execute(
            "select game, sum(n_players > 0), list(distinct verdict order by verdict) from hands group by 1"
        ).fetchall()
    print(name, *rows)
"""


def test_every_game_of_mits_engines_can_be_told_in_other_words(tmp_path: Path) -> None:
    """A user's file has what a game of railbird's own has: nothing looks for the game's name."""
    done = subprocess.run(
        [sys.executable, "-c", EVERY_GAME, str(tmp_path)], capture_output=True, text=True, check=True
    )
    told = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    assert len(told) > 12
    for name, row in told.items():
        game, hands, verdicts = ast.literal_eval(row)
        assert (game, hands) == (name, 40), row
        assert set(verdicts) <= {"ok", "engine_deviation", "unverified"}, row
