"""`railbird opponent`, and `railbird sql --as-seen-by`: what they print and how they refuse."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import railbird
from railbird import cli
from railbird.analytics.opponent import opponent_file
from railbird.analytics.players import Player, rules_of
from railbird.reports import opponent

Run = Callable[..., tuple[int, str, str]]
SAMPLES = Path(__file__).resolve().parents[2] / "sample_logs"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("dossier") / "store"
    railbird.ingest([SAMPLES / "bounty", SAMPLES / "koper", SAMPLES / "holdem-mit"], root)
    return root


@pytest.fixture(scope="module")
def answers() -> dict[tuple[str, ...], tuple[int, str, str]]:
    """What commands answered, which the store does not change: each is run once."""
    return {}


@pytest.fixture
def run(
    capsys: pytest.CaptureFixture[str],
    store: Path,
    answers: dict[tuple[str, ...], tuple[int, str, str]],
) -> Run:
    def call(*arguments: str) -> tuple[int, str, str]:
        if arguments not in answers:
            code = cli.main([*arguments, "--store", str(store)])
            said = capsys.readouterr()
            answers[arguments] = code, said.out, said.err
        return answers[arguments]

    return call


def test_json_is_the_document_and_nothing_else(run: Run, store: Path) -> None:
    code, out, err = run("opponent", "Otter", "--against", "Heron", "--format", "json")
    assert (code, err) == (0, "")
    with railbird.open(store) as opened:
        document = opponent_file(
            opened, Player("bounty", "bounty", "Otter"), Player("bounty", "bounty", "Heron")
        )
    assert json.loads(out).keys() == document.keys()
    assert json.loads(out)["views"]["as_seen"]["ranges"] == document["views"]["as_seen"]["ranges"]
    assert out.count("\n") == 1


def test_the_table_says_what_is_known_with_n_and_interval(run: Run) -> None:
    code, out, err = run("opponent", "Rook", "--event", "bounty", "--all")
    assert (code, err) == (0, "")
    lines = [line.rstrip() for line in out.splitlines()]
    assert lines[0] == "Rook: bounty, event bounty"
    assert (
        "Folds to bets; break-even: the share of folds from which any bluff wins; over-fold: folds − break-even"
        in lines
    )
    assert "Exploits, by a model; the best of" in out
    assert "Range in SB facing the blinds: not folded / dealt, n" in out
    assert "as seen" not in out


def test_exploits_say_below_what_they_assume_and_no_tendency_stands_twice(run: Run, store: Path) -> None:
    document = json.loads(run("opponent", "Rook", "--event", "bounty", "--format", "json")[1])
    full = document["views"]["full"]
    out = run("opponent", "Rook", "--event", "bounty", "--all")[1]
    assumed = {row["does"]: row["assumes"] for row in full["exploits"]["winning"]}
    assert assumed
    assert all(out.count(f"Assumptions of “{does}”: {assumes}.\n") == 1 for does, assumes in assumed.items())
    with railbird.open(store) as opened:
        rules = rules_of(opened, "bounty")
    rows = list(opponent._tendencies(document | {"rules": rules}, full).rows)
    of_streets = [row for row in rows if row[1]]
    assert of_streets and len(of_streets) < len(rows)
    assert not [
        (row, other)
        for row in rows
        for other in of_streets
        if not row[1] and row[0].startswith(other[0]) and row[3:] == other[3:]
    ]
    assert "c-bet flop" in {row["label"] for row in full["tendencies"] if row["opportunities"]}


def test_the_table_against_a_player_has_both_views(run: Run) -> None:
    code, out, err = run("opponent", "Otter", "--against", "Heron", "--all")
    assert (code, err) == (0, "")
    assert out.splitlines()[1:3] == [
        "hands 60, matches 1, against Heron",
        "Heron saw the cards of 55 of these hands.",
    ]
    assert "Strength by own bet size, everything known" in out
    assert "Strength by own bet size, as seen" in out


def test_a_game_says_what_does_not_apply(run: Run) -> None:
    code, out, err = run("opponent", "Player A", "--all")
    assert (code, err) == (0, "")
    assert "Left out: exploits (all players bet at once in Koper, so no player responds to a bet)." in out


def test_without_all_the_answer_is_first_and_the_table_short(run: Run) -> None:
    code, out, err = run("opponent", "Player A")
    assert (code, err) == (0, "")
    lines = out.splitlines()
    assert lines[3].startswith("What wins against it is not known. Koper: leaks are not priced here, only")
    assert "Left out" not in out
    assert lines[-1] == "Intervals are 95%. --all shows every table. Definitions: docs/opponent.md"
    code, out, err = run("opponent", "Otter", "--against", "Heron")
    lines = out.splitlines()
    assert (code, err) == (0, "")
    assert lines[1:3] == ["hands 60, matches 1, against Heron", "Heron saw the cards of 55 of these hands."]
    assert lines[4] == "What wins against it (60 hands): nothing certain; too few hands."
    # What makes the game is said above the table.
    assert lines[6].startswith("Otter: bounties brought 134 chips and cost 500 (−366, luck included); ")
    assert "Tendencies" in lines[8:11] and len(lines) <= 45
    assert "Folds to bets" not in out and "as seen" not in out


def test_rounds_of_kuhn_are_called_so(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    railbird.ingest([SAMPLES / "acpc" / "kuhn.log"], tmp_path / "store")
    with railbird.open(tmp_path / "store") as store:
        ((name, game),) = store.execute("select player, game from players limit 1").fetchall()
    assert cli.main(["opponent", name, "--game", game, "--all", "--store", str(tmp_path / "store")]) == 0
    out = capsys.readouterr().out
    assert "first round" in out
    assert "preflop" not in out


def test_names_of_strangers_are_printed_as_text(
    run: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run("opponent", "Ünal ♠", "--against", "[Ah Kd]")
    assert (code, err) == (0, "")
    assert out.startswith("Ünal ♠: holdem-mit, event holdem-mit\nhands 30, matches 1, against [Ah Kd]\n")
    text = (SAMPLES / "holdem-mit" / "base.txt").read_text()
    first, second = text.split("\n")[0].split(" - ")[1].split(" vs ")
    hostile = "\x1b[31mRed"
    (tmp_path / "log.txt").write_text(text.replace(first, hostile), newline="")
    railbird.ingest([tmp_path / "log.txt"], tmp_path / "store", event="\x07cup")
    assert cli.main(["opponent", hostile, "--against", second, "--store", str(tmp_path / "store")]) == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out and "\x07" not in out
    assert out.startswith("\\x1b[31mRed: holdem-mit, event \\x07cup")
    assert cli.main(["opponent", "\x1bnobody", "--store", str(tmp_path / "store")]) == 2
    assert capsys.readouterr().err == "railbird: no player is called '\\x1bnobody'\n"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("Nobody",), "no player is called 'Nobody'"),
        (
            ("Rook",),
            "'Rook' is several players; choose one: --game bounty; --game holdem-mit",
        ),
        (
            ("Gemini",),
            "'Gemini' is several players; choose one: --seat 0; --seat 1",
        ),
        (("Otter", "--against", "Nobody"), "'Nobody' has not met 'Otter' of event 'bounty', game 'bounty'"),
        (("Otter", "--format", "csv"), "the opponent file is not a table: use --format json or table"),
    ],
)
def test_a_wrong_question_is_one_line_and_exit_2(run: Run, arguments: tuple[str, ...], said: str) -> None:
    assert run("opponent", *arguments) == (2, "", f"railbird: {said}\n")


def test_sql_as_a_player_saw_it(run: Run) -> None:
    query = "select count(*) as n, count(hole) as known, count(distinct match_id) as matches from seats"
    code, out, err = run("sql", query, "--as-seen-by", "Heron", "--format", "csv")
    assert (code, err) == (0, "")
    n, known, matches = map(int, out.splitlines()[1].split(","))
    assert (n, matches) == (240, 2) and 120 < known < 240
    assert run("sql", query, "--as-seen-by", "Rook")[0] == 2


def test_bits_have_the_minus_sign_of_tables() -> None:
    assert [opponent._bits(value) for value in (-0.005, -0.0004, 0.0, 0.0125)] == [
        "−0.005",
        "0.000",
        "0.000",
        "0.013",
    ]
