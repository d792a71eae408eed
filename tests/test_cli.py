"""The command line: what it prints, how it fails, how quickly it starts."""

import csv
import io
import json
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from conftest import ROOT, Run
from typer import Context, TyperException
from typer.main import get_group

import railbird
from railbird.cli.app import FAULT, app, needed
from railbird.cli.opening import progress_bar
from railbird.cli.options import take_as_given
from railbird.replay.bots import STYLES
from railbird.replay.colluders import PLANS
from railbird.replay.simulate import simulate
from railbird.reports import Show

COMMANDS = (
    "ingest",
    "watch",
    "compact",
    "tag",
    "forget",
    "verify",
    "audit",
    "bankroll",
    "luck",
    "stats",
    "standings",
    "compare",
    "collusion",
    "opponent",
    "exploit",
    "why",
    "hands",
    "replay",
    "report",
    "serve",
    "mcp",
    "export",
    "sql",
    "simulate",
    "games",
    "model",
    "variant",
)


@pytest.fixture(scope="module")
def store(samples_folder: Path) -> Path:
    return samples_folder


def test_every_command_has_help_and_is_in_the_readme(run: Run) -> None:
    code, out, err = run("--help")
    assert (code, err) == (0, "")
    assert re.findall(r"^  ([a-z]+)  +\S", out.partition("Commands:")[2], re.MULTILINE) == list(COMMANDS)
    assert "..." not in out.partition("Commands:")[2].partition("Exit codes")[0]
    readme = (ROOT / "README.md").read_text()
    for command in COMMANDS:
        code, out, _ = run(command, "--help")
        assert code == 0
        assert out.startswith(f"Usage: railbird {command} ")
        assert f"railbird {command}" in readme
        options = out.partition("Options:")[2]
        assert not re.findall(r"^  --[a-z-]+ *\w* *$\n(?=  -)", options, re.MULTILINE), (
            "an option without help"
        )


def test_the_help_of_stats_explains_every_table(run: Run) -> None:
    _, out, _ = run("stats", "--help")
    for show in Show:
        assert re.search(rf"^  {show}  +\S", out, re.MULTILINE), show


def test_no_command_is_the_help(run: Run) -> None:
    assert run() == run("--help")


def test_the_version(run: Run) -> None:
    assert run("--version") == (0, f"railbird {railbird.__version__}\n", "")


def test_ingest_ends_with_the_ledger(run: Run, tmp_path: Path, sample_logs: Path) -> None:
    code, out, err = run(
        "ingest", sample_logs / "holdem-mit", "--store", tmp_path / "store", "--event", "cup"
    )
    assert (code, err) == (0, "")
    assert "ledger" in out.splitlines()[-1]
    code, out, _ = run(
        "sql", "select distinct event from matches", "--store", tmp_path / "store", "--format", "csv"
    )
    assert (code, out) == (0, "event\ncup\n")


def test_a_rejected_file_among_good_ones_is_told_and_exit_0(
    run: Run, tmp_path: Path, sample_logs: Path
) -> None:
    (tmp_path / "junk.txt").write_text("hello\n")
    code, _, err = run("ingest", tmp_path / "junk.txt", sample_logs / "holdem-mit", "--store", tmp_path / "s")
    assert code == 0
    assert len(err.splitlines()) == 1


def test_many_files_rejected_for_one_reason_are_one_line_and_a_count(
    run: Run, tmp_path: Path, sample_logs: Path
) -> None:
    folder, store, mit = tmp_path / "truth", tmp_path / "s", sample_logs / "holdem-mit"
    folder.mkdir()
    for number in range(14):
        (folder / f"{number}.json").write_text(f'{{"name": "player {number}\'s"}}\n')
    for number in range(3):
        (folder / f"{number}.txt").write_bytes(b"\xff\xfe" + f"Round {number}".encode("utf-16-le"))
    code, out, err = run("ingest", folder, mit, "--store", store)
    first, count, *others = err.splitlines()
    assert code == 0
    assert first.startswith(f"railbird: {folder / '0.json'}: line 1: no known engine writes lines such as ")
    assert count == f"railbird: and 13 more in {folder} for the same reason; --verbose lists them"
    assert len(others) == 3
    assert all("UTF-16" in line for line in others)
    code, again, err = run("ingest", folder, mit, "--store", tmp_path / "t", "--verbose")
    lines = sorted(err.splitlines())
    assert (code, again.replace(str(tmp_path / "t"), str(store)), len(lines)) == (0, out, 17)
    query = (
        "select concat('railbird: ', path, ': line 1: ', reason) as line from files where status = 'rejected'"
    )
    _, rows, _ = run("sql", query, "--store", store, "--format", "json")
    assert sorted(row["line"] for row in json.loads(rows)) == lines


def test_nothing_stored_is_exit_2_unless_all_is_known(run: Run, tmp_path: Path, sample_logs: Path) -> None:
    log, store = tmp_path / "log.txt", tmp_path / "s"
    text = (sample_logs / "koper" / "v1-folds.txt").read_bytes()
    log.write_bytes(text[: text.index(b"Turn Betting")])
    code, out, err = run("ingest", log, "--store", store)
    assert (code, err) == (2, "railbird: no hand was stored\n")
    assert "0 hands of 0 matches, 1 left out" in out
    log.write_bytes(text)
    assert [run("ingest", log, "--store", store)[0] for _ in range(2)] == [0, 0]
    (tmp_path / "copy.txt").write_bytes(text + b"\n")
    assert run("ingest", tmp_path / "copy.txt", "--store", store)[0] == 0


def test_verify_of_clean_logs(run: Run, store: Path) -> None:
    code, out, err = run("verify", "--store", store)
    assert (code, err) == (0, "")
    assert "bounty.rounding-by-turn" in out
    assert out.startswith("No violation: known engines explain every finding, 50 unverified hands aside.\n")


def test_verify_says_how_many_hands_it_cannot_judge(run: Run, sample_logs: Path, tmp_path: Path) -> None:
    text = (sample_logs / "bounty" / "2025-01-07.txt").read_text()
    (tmp_path / "log.txt").write_text(text.replace("\nRound #5,", "\n<<<<<<< HEAD\nRound #5,"), newline="")
    run("ingest", tmp_path / "log.txt", "--store", tmp_path / "store")
    code, out, _ = run("verify", "--store", tmp_path / "store")
    assert code == 0
    assert re.search(r"^No violation: .* finding, \d+ damaged hands aside\.$", out, re.MULTILINE)


def test_verify_tells_chips_that_nobody_won(run: Run, sample_logs: Path, tmp_path: Path) -> None:
    run("ingest", sample_logs / "koper" / "v1-folds.txt", "--store", tmp_path / "store")
    _, out, _ = run("verify", "--store", tmp_path / "store", "--format", "json")
    moved = {row["deviation"]: row["chips_moved"] for row in json.loads(out)}
    assert moved["koper.all-fold-lost"] > 0


def test_verify_finds_an_edit_and_exits_1(run: Run, tmp_path: Path) -> None:
    text = simulate("holdem-mit", [("Ann", "loose-aggressive"), ("Bob", "maniac")], 40, 1)
    edited = re.sub(r"Ann awarded (\d+)", lambda found: f"Ann awarded {int(found[1]) + 7}", text)
    (tmp_path / "edited.txt").write_text(edited, newline="")
    run("ingest", tmp_path / "edited.txt", "--store", tmp_path / "store")
    code, out, err = run("verify", "--store", tmp_path / "store")
    assert (code, err) == (1, "")
    listed = re.findall(r"edited\.txt:(\d+)", out)
    assert len(listed) == 20
    assert re.search(r"^The first 20 of \d+ violations; --all lists every one\.$", out, re.MULTILINE)
    code, out, _ = run("verify", "--store", tmp_path / "store", "--all", "--format", "json")
    rows = json.loads(out)
    assert code == 1
    assert len(rows) > 20
    assert {"path", "line", "match_id", "hand_index", "rule", "message"} <= rows[0].keys()
    lines = edited.split("\n")
    awards = [row["line"] for row in rows if row["rule"] == "award"]
    assert awards and all(" awarded " in lines[line - 1] for line in awards)


@pytest.mark.parametrize(
    "command",
    [
        ("verify",),
        ("verify", "--all"),
        ("bankroll",),
        ("bankroll", "--match", "bounty/one-name"),
        ("bankroll", "--match", "koper/v1-mixed"),
        ("stats",),
        ("stats", "--player", "Ferry", "--by-opponent"),
        ("standings",),
        ("standings", "--crosstable", "--draws", "100"),
        ("standings", "--event", "koper", "--run-off"),
        ("replay", "bounty/one-name#3"),
        ("replay", "acpc/six-max#3"),
        ("sql", "select * from hands"),
        ("sql", "select 1 where false"),
        ("hands", "--did", "check-raise"),
        ("games",),
    ],
)
def test_json_is_one_array_and_nothing_else_and_csv_has_the_same_rows(
    run: Run, store: Path, command: tuple[str, ...]
) -> None:
    where = () if command[0] == "games" else ("--store", store)
    code, out, err = run(*command, *where, "--format", "json")
    assert (code, err) == (0, "")
    rows = json.loads(out)
    assert isinstance(rows, list)
    _, text, _ = run(*command, *where, "--format", "CSV")
    assert len(list(csv.DictReader(io.StringIO(text)))) == len(rows)
    code, _, err = run(*command, *where)
    assert (code, err) == (0, "")


def test_standings_of_a_folder_of_logs(run: Run, sample_logs: Path) -> None:
    code, out, err = run("standings", sample_logs / "koper", "--crosstable", "--run-off")
    assert code == 0
    assert err.startswith(f"railbird: {sample_logs / 'koper'} is a folder of logs")
    for title in ("Standings", "Crosstable", "Run-off"):
        assert f"{title}: koper, event koper" in out
    assert "by wins" in out
    assert "! some players met over one card set or duplicate match only" in out


def test_standings_name_the_pair_that_decides(run: Run, tmp_path: Path) -> None:
    def won(seed: int, *names: str) -> None:
        styles = {"Ann": "maniac", "Bob": "calling-station", "Cid": "tight-aggressive"}
        text = simulate("holdem-mit", [(name, styles[name]) for name in names], 50, seed)
        (tmp_path / f"{'-'.join(names)}.txt").write_text(text, newline="")

    pairs = (("Ann", "Bob"), ("Ann", "Cid"), ("Bob", "Cid"))
    for seed, pair in enumerate(pairs):
        won(seed, *pair)
    code, out, _ = run("standings", tmp_path, "--format", "csv")
    first = next(csv.DictReader(io.StringIO(out)))["player"]
    code, out, _ = run("standings", tmp_path, "--crosstable", "--format", "csv")
    chips = {
        (row["player"], row["opponent"]): float(row["chips"]) for row in csv.DictReader(io.StringIO(out))
    }
    names = ("Ann", "Bob", "Cid")
    wanted = set()
    for pair in pairs:
        rest = {
            name: sum(won for (one, other), won in chips.items() if one == name and {one, other} != set(pair))
            for name in names
        }
        leader = max(rest, key=lambda name: rest[name])
        if leader != first:
            wanted.add((frozenset(pair), leader))
    code, out, _ = run("standings", tmp_path)
    assert code == 0
    found = re.findall(r"^Without (\w+) v (\w+) \(50 hands\) (\w+) would lead\.$", out, re.MULTILINE)
    assert {(frozenset(row[:2]), row[2]) for row in found} == wanted
    assert wanted


def test_replay_shows_the_hand(run: Run, store: Path) -> None:
    code, out, _ = run("replay", "bounty/one-name#3", "--store", store)
    assert code == 0
    assert re.search(
        r"^Hand \d+#3: Gemini \(seat 0\) v Gemini \(seat 1\), bounty, event bounty$", out, re.MULTILINE
    )
    assert re.search(r"^ +\d+ +preflop +Gemini \(seat 1\) +posts 1 ", out, re.MULTILINE)
    assert re.search(r"^ +\d+ +preflop +Gemini \(seat 0\) +posts 2 ", out, re.MULTILINE)
    assert "may raise to" in out


def test_bankroll_draws(run: Run, store: Path, tmp_path: Path) -> None:
    for name in ("curve.png", "curve.svg"):
        code, _, err = run(
            "bankroll", "--store", store, "--match", "bounty/one-name", "--plot", tmp_path / name
        )
        assert (code, err) == (0, "")
        assert (tmp_path / name).stat().st_size > 5000


@pytest.mark.parametrize(
    "asked", [("bankroll",), ("standings",), ("stats", "--show", "hands", "--player", "Magpie")]
)
def test_a_table_says_where_its_picture_is(
    run: Run, store: Path, tmp_path: Path, asked: tuple[str, ...]
) -> None:
    plot = tmp_path / "a.svg"
    asked = (*asked, "--store", str(store), "--event", "auction", "--plot", str(plot))
    code, out, err = run(*asked)
    assert (code, err) == (0, "") and plot.exists()
    assert out.endswith(f"\npicture {plot}\n")
    for form in ("csv", "json"):
        code, out, err = run(*asked, "--format", form)
        assert (code, err) == (0, "") and str(plot) not in out


def test_report_says_where_it_is(run: Run, store: Path, tmp_path: Path) -> None:
    code, out, err = run(
        "report", "--store", store, "--out", tmp_path / "report", "--match", "bounty/one-name"
    )
    assert (code, out, err) == (0, f"{tmp_path / 'report' / 'index.html'}\n", "")


def test_simulate_writes_the_same_log_for_the_same_seed(run: Run, tmp_path: Path) -> None:
    players = ("--player", "Ann=tight-passive", "--player", "a=b=maniac")
    code, out, _ = run("simulate", "bounty", *players, "--hands", 3, "--seed", 5)
    assert code == 0
    assert out == simulate("bounty", [("Ann", "tight-passive"), ("a=b", "maniac")], 3, 5)
    code, said, _ = run(
        "simulate", "bounty", *players, "--hands", 3, "--seed", 5, "--out", tmp_path / "log.txt"
    )
    assert (code, said) == (0, "")
    assert (tmp_path / "log.txt").read_text(encoding="utf-8") == out


def test_games_lists_games_and_deviations(run: Run) -> None:
    code, out, _ = run("games")
    assert code == 0
    assert "mit-bounty" in out
    assert "bounty.split-paid-to-dealer" in out


RAILBIRD = "import sys; from railbird.cli import run; sys.argv[0] = 'railbird'; run()"


@pytest.mark.parametrize(
    "arguments",
    [
        ("sql", "select * from range(300000)", "--format", "csv"),
        ("sql", "select * from range(300000)", "--format", "json"),
        ("verify",),
        ("stats",),
        ("games",),
    ],
)
def test_a_reader_that_leaves_ends_it_quietly(store: Path, arguments: tuple[str, ...]) -> None:
    where = () if arguments == ("games",) else ("--store", str(store))
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-c", RAILBIRD, *arguments, *where]
    done = subprocess.run(command, stdout=writing, stderr=subprocess.PIPE, timeout=60, check=False)
    os.close(writing)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(
    ("how", "arguments", "code"),
    [
        (">&-", "games", 0),
        ("2>&-", "verify --store nowhere", 2),
        ("2>/dev/full", "verify --store nowhere", 2),
    ],
)
def test_closed_and_full_outputs_change_no_exit_code(
    how: str, arguments: str, code: int, tmp_path: Path
) -> None:
    command = f"'{sys.executable}' -c \"{RAILBIRD}\" {arguments} {how}"
    done = subprocess.run(command, shell=True, capture_output=True, timeout=60, check=False, cwd=tmp_path)
    assert (done.returncode, done.stderr) == (code, b"")


@pytest.mark.parametrize("show", ["overview", "winnings", "same-state", "drift"])
def test_stats_of_one_event_are_those_of_its_rows(run: Run, store: Path, show: str) -> None:
    def rows(*options: str) -> list[dict[str, str]]:
        code, out, err = run("stats", "--show", show, "--store", store, "--format", "csv", *options)
        assert (code, err) == (0, "")
        return list(csv.DictReader(io.StringIO(out)))

    every = rows()
    event = every[-1]["event"]
    assert rows("--event", event) == [row for row in every if row["event"] == event]
    assert len({row["event"] for row in every}) > 1


def test_a_path_of_standings_goes_before_the_variable(
    run: Run, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAILBIRD_STORE", str(tmp_path / "none"))
    query = ("--event", "koper", "--format", "json")
    code, told, err = run("standings", store, *query)
    assert (code, err) == (0, "")
    _, wanted, _ = run("standings", "--store", store, *query)
    assert [row["player"] for row in json.loads(told)] == [row["player"] for row in json.loads(wanted)]


def test_simulate_names_every_style_and_plan(run: Run) -> None:
    _, out, _ = run("simulate", "--help")
    told = re.findall(r"[a-z-]+", out.partition("\nStyles: ")[2])
    assert {*STYLES, *PLANS} <= {*told}


def test_a_missing_number_is_an_empty_field(run: Run, store: Path) -> None:
    query = "select 'nan'::double as a, 1.5 as b"
    assert run("sql", query, "--store", store, "--format", "csv") == (0, "a,b\n,1.5\n", "")


def output_of(code: str) -> str:
    """What a new Python prints."""
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=True).stdout


def test_importing_railbird_imports_nothing_heavy() -> None:
    code = (
        "import sys, railbird, railbird.cli;"
        "print([m for m in ('numpy', 'numba', 'polars', 'duckdb', 'pyarrow', 'matplotlib', 'jinja2', 'rich')"
        " if m in sys.modules], dir(railbird).count('open'))"
    )
    assert output_of(code) == "[] 1\n"


def test_a_log_of_mit_loads_no_parsers_of_other_engines_and_not_all_of_arrow(
    sample_logs: Path, tmp_path: Path
) -> None:
    """Each would cost a small log some hundredths of its time."""
    logs, store = str(sample_logs / "bounty"), str(tmp_path / "store")
    code = (
        f"import sys, railbird; summary = railbird.ingest([{logs!r}], {store!r});"
        "print(summary.nothing_read, [m for m in ('railbird.parsers.acpc', 'railbird.parsers.koper', 'pyarrow.compute')"
        " if m in sys.modules])"
    )
    assert output_of(code) == "False []\n"


def test_text_and_defaults_of_options_need_no_pydantic(sample_logs: Path, tmp_path: Path) -> None:
    """Typer converts values with Pydantic, whose import a small log would notice."""
    logs, store = str(sample_logs / "bounty"), str(tmp_path / "store")
    given = ["ingest", logs, "--store", store, "--event", "final"]
    code = (
        f"import sys, railbird.cli; code = railbird.cli.main({given!r});"
        "print(code, 'pydantic' in sys.modules)"
    )
    assert output_of(code).splitlines()[-1] == "0 False"
    # A number is converted as before.
    given += ["--workers", "2"]
    code = f"import sys, railbird.cli; print(railbird.cli.main({given!r}), 'pydantic' in sys.modules)"
    assert output_of(code).splitlines()[-1] == "0 True"


def test_numba_is_imported_without_scipy() -> None:
    code = "import sys; from railbird.jit.startup import prepare_process as go; go(); print('scipy' in sys.modules)"
    assert output_of(code) == "False\n"


def test_reading_a_store_imports_no_numba(samples_folder: Path) -> None:
    """It would add a half to the time that these commands take with a small store."""
    commands = (["standings"], ["stats"], ["hands"], ["bankroll"], ["verify"])
    code = (
        "import sys, railbird.cli\n"
        f"for command in {commands!r}:\n"
        f"    code = railbird.cli.main([*command, '--store', {str(samples_folder)!r}])\n"
        "    print('numba:', code in (0, 1), 'numba' in sys.modules)\n"
    )
    said = [line for line in output_of(code).splitlines() if line.startswith("numba:")]
    assert said == ["numba: True False"] * len(commands)


def test_every_option_is_taken_without_pydantic_as_it_is_with_it() -> None:
    given, plain = get_group(app), get_group(app)
    take_as_given(given, ["--help"])
    compared = 0
    for name, command in plain.commands.items():
        for param, other in zip(command.params, given.commands[name].params, strict=True):
            for value in (None, param.default, "7", ["a", "b"] if param.multiple else "a"):
                answers = []
                for one in (param, other):
                    try:
                        answers.append((one.process_value(Context(command), value), ""))
                    except TyperException as error:
                        answers.append((None, error.format_message()))
                assert answers[0] == answers[1], (name, param.name, value)
                compared += 1
    assert compared > 200


def test_the_function_ingest_is_not_hidden_by_its_module() -> None:
    code = (
        "import railbird, railbird.ingest; from railbird.ingest import ingest;"
        "print(railbird.ingest is ingest, callable(railbird.open), hasattr(railbird, 'nonsense'))"
    )
    assert output_of(code) == "True True False\n"


def test_a_long_job_tells_how_far_it_is_where_no_bar_can_be_drawn(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    with progress_bar("Counting equities") as progress:
        for now in (1.0, 59.0, 61.0, 90.0, 122.0, 130.0):
            progress(int(now), 144)
    assert capsys.readouterr().err.splitlines() == [
        "railbird: Counting equities: 42%",
        "railbird: Counting equities: 84%",
    ]


class _Screen(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_an_answer_goes_where_it_is_sent_though_a_bar_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if standard error alone is a terminal: `railbird exploit X > FILE`."""
    screen, file = _Screen(), io.StringIO()
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr("sys.stdout", file)
    with progress_bar("Counting") as progress:
        print("the head")
        assert screen.getvalue() == ""
        for done in range(5):
            progress(done, 4)
        drawn = screen.getvalue()
        print("the answer")
        # The bar is gone before the answer comes: its line was erased last.
        assert "Counting" in drawn and drawn.endswith("\x1b[2K") and screen.getvalue() == drawn
    assert file.getvalue() == "the head\nthe answer\n"


STAKES = ("--stack", "700", "--blinds", "5/10")


@pytest.fixture(scope="module")
def heads_up_logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("logs")
    text = simulate("holdem-mit", (("A", "random"), ("B", "random")), 12, 5)
    (folder / "log.txt").write_text(text, encoding="utf-8")
    return folder


def test_questions_of_a_folder_of_logs_take_the_options_of_ingest(run: Run, heads_up_logs: Path) -> None:
    query = "select starting_stacks, blinds from matches"
    code, out, _ = run("sql", query, "--store", heads_up_logs, *STAKES, "--format", "json")
    assert (code, json.loads(out)) == (0, [{"starting_stacks": [700, 700], "blinds": [5, 10]}])
    code, _, err = run("verify", "--store", heads_up_logs, "--blinds", "10/5")
    assert code == 2
    assert "blinds of 10/5" in err


def test_a_store_takes_no_options_of_ingest(run: Run, store: Path) -> None:
    code, _, err = run("verify", "--store", store, "--stack", "700", "--game-def", "x.game")
    assert code == 2
    assert "--game-def, --stack: for a folder of logs" in err


def test_watch_takes_the_options_of_ingest(run: Run, heads_up_logs: Path, tmp_path: Path) -> None:
    store = tmp_path / "store"
    assert run("watch", heads_up_logs, "--store", store, "--once", *STAKES)[0] == 0
    with railbird.open(store) as opened:
        assert opened.execute("select starting_stacks, blinds from matches").fetchall() == [
            ([700, 700], [5, 10])
        ]


def test_a_definition_that_fits_no_hand_is_said_first(run: Run, sample_logs: Path, tmp_path: Path) -> None:
    definition = ROOT / "replay" / "acpc" / "games" / "leduc.limit.2p.game"
    log = sample_logs / "acpc" / "limit.log"
    code, out, _ = run("ingest", log, "--store", tmp_path / "store", "--game-def", definition)
    assert code == 0
    first = out.splitlines()[0]
    assert first.startswith("warning   no hand can be played by --game-def leduc.limit.2p: ")
    assert first.endswith(" hands cannot be verified")


def test_a_fault_of_railbird_has_an_exit_code_of_its_own() -> None:
    fails = (
        "import sys, railbird.cli.app; m = sys.modules['railbird.cli.app']; m.main = lambda: [][0]; m.run()"
    )
    done = subprocess.run([sys.executable, "-c", fails], capture_output=True, text=True, check=False)
    assert done.returncode == FAULT
    assert done.stderr.startswith("Traceback (most recent call last):\n")
    assert done.stderr.endswith("\nIndexError: list index out of range\n")


def test_a_command_line_is_made_as_far_as_it_is_needed() -> None:
    """And says what the whole says: of every command, of their list, and of what is no command."""

    def said(command: Any, given: list[str]) -> str:
        out = io.StringIO()
        with redirect_stdout(out):
            try:
                command(args=given, prog_name="railbird", standalone_mode=False)
            except TyperException as error:
                out.write(error.format_message())
        return out.getvalue()

    whole = get_group(app)
    names = list(whole.commands)
    assert len(names) > 25
    for given in (
        ["--help"],
        ["-h"],
        ["nosuch"],
        ["--nosuch"],
        ["--version"],
        *([name, "--help"] for name in names),
    ):
        few = get_group(needed(given))
        assert said(few, given) == said(whole, given) != ""
        if given[0] in names:
            assert [*few.commands] == given[:1]


def test_what_an_interrupt_broke_off_says_nothing_in_a_finaliser(monkeypatch: pytest.MonkeyPatch) -> None:
    module = sys.modules["railbird.cli.app"]
    said: list[Any] = []
    found = SimpleNamespace(exc_type=AttributeError)
    monkeypatch.setattr(sys, "__unraisablehook__", said.append)
    for interrupts, times in (([], 1), ([2], 1)):
        monkeypatch.setattr(module, "_interrupts", interrupts)
        module._unraised(found)
        assert said == [found] * times
