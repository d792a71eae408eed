"""How the command line fails: a user's error is one line and exit 2, railbird's own is none."""

import json
import os
import re
import shutil
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import duckdb
import pytest
from conftest import Run

from railbird.analytics import views
from railbird.cli.opening import opened_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.storage.manifest import StoreError


@pytest.fixture(scope="module")
def store(samples_folder: Path) -> Path:
    return samples_folder


def test_a_choice_that_is_none_is_told_in_a_users_words(run: Run) -> None:
    code, out, err = run("games", "--format", "xml")
    assert (code, out) == (2, "")
    assert err.startswith("railbird: Invalid value for '--format': 'xml' is not ")


@pytest.mark.parametrize("words", [["stats"], ["report", "--out", "pages"]])
def test_a_working_folder_that_is_gone_is_named(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert run(*words) == (2, "", "railbird: the working folder no longer exists\n")


@pytest.mark.parametrize(
    ("name", "content"), [("empty.txt", b""), ("binary.txt", b"\0\1\2" * 99), ("other.txt", b"hello\n")]
)
def test_what_is_no_log_is_one_line_and_exit_2(run: Run, tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    code, out, err = run("ingest", tmp_path / name, "--store", tmp_path / "store")
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith(f"railbird: {tmp_path / name}: line 1: ")


def test_a_query_writes_no_file_into_the_store(tmp_path: Path, sample_logs: Path, run: Run) -> None:
    store = tmp_path / "store"
    assert run("ingest", sample_logs / "holdem-mit" / "base.txt", "--store", store)[0] == 0
    for target in (
        store / "manifest.json",
        store / "hands" / "x.parquet",
        tmp_path / "other" / ".." / "store" / "y",
    ):
        code, _, err = run("sql", f"copy (select 1) to '{target}'", "--store", store)
        assert (code, err) == (2, f"railbird: {target}: a query cannot write into the store\n")
    assert run("sql", f"copy (select 1) to '{tmp_path / 'mine.csv'}'", "--store", store)[0] == 0
    assert run("verify", "--store", store)[0] == 0


@pytest.mark.parametrize(
    "query",
    [
        "from read_csv('{other}')",
        "from '{other}'",
        "select * from read_text('{other}')",
        "select * from glob('{folder}/*')",
        "copy (from read_csv('{other}')) to '{folder}/stolen.csv'",
        "select 'copy to ''{other}''' from read_text('{other}')",
        "attach '{folder}/other.db' as other; select 1",
        "import database '{folder}'",
        "install httpfs; select 1",
        "from 'http://127.0.0.1:9/x.csv'",
        "create secret s (type s3); select 1",
        "set memory_limit = '1GB'; select 1",
        "set enable_external_access = true; from '{other}'",
    ],
)
def test_a_query_reads_the_store_only(tmp_path: Path, sample_logs: Path, run: Run, query: str) -> None:
    store, other = tmp_path / "store", tmp_path / "other.csv"
    assert run("ingest", sample_logs / "holdem-mit" / "base.txt", "--store", store)[0] == 0
    other.write_text("a,b\nmine,2\n")
    query = query.format(other=other, folder=tmp_path)
    before = sorted(tmp_path.iterdir())
    message = "a query reads the store only: no other file, address or setting (--files allows them)"
    assert run("sql", query, "--store", store) == (2, "", f"railbird: {message}\n")
    assert sorted(tmp_path.iterdir()) == before


def test_a_query_may_write_the_file_that_it_names_and_read_others_if_asked(
    tmp_path: Path, sample_logs: Path, run: Run
) -> None:
    store, made, other = tmp_path / "store", tmp_path / "made", tmp_path / "other.csv"
    assert run("ingest", sample_logs / "holdem-mit" / "base.txt", "--store", store)[0] == 0
    copied = f"copy (select * from seats) to '{made}' (format parquet, partition_by (seat))"
    assert run("sql", copied, "--store", store)[0] == 0
    assert sorted(path.name for path in made.iterdir()) == ["seat=0", "seat=1"]
    other.write_text("player,team\nA,red\n")
    query = f"set threads = 1; select team from '{other}'"
    assert run("sql", query, "--store", store, "--files", "--format", "csv") == (0, "team\nred\n", "")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("nonsense",), "No such command 'nonsense'."),
        (("verify", "--nonsense"), "No such option: --nonsense"),
        (("ingest",), "Missing argument 'PATH'."),
        (("replay", "1"), "a hand is named MATCH#HAND, such as 1234567#0, not '1'"),
        (("replay", "nobody#1"), "no match is called 'nobody'; `railbird bankroll` lists them"),
        (("stats", "--player", "\x1b[1mNobody"), "no player is called '\\x1b[1mNobody'"),
        (("standings", "--event", "x"), "no match is of the event 'x'"),
        (
            ("sql", "select 1", "--event", "x"),
            "--event, --game and --seat choose the player of --as-seen-by; otherwise filter in the query",
        ),
        (("standings", "here", "--store", "there"), "standings takes PATH or --store, not both"),
        (("stats", "--event", "x"), "no match is of the event 'x'"),
        (
            ("stats", "--event", "koper", "--player", "Gemini"),
            "no player of the event 'koper' is called 'Gemini'",
        ),
        (
            ("standings", "--crosstable", "--run-off", "--format", "csv"),
            "--format csv prints one table: give --crosstable, --run-off or --adjusted",
        ),
        (("sql", "selec 1"), 'Parser Error: syntax error at or near "selec"'),
        (("sql", " ; "), "the query is empty"),
        (("sql", "drop view hands"), "this statement returns nothing: give a query"),
        (("sql", "create table x as select 1"), "this statement returns nothing: give a query"),
        (("sql", "select '\udcff'"), "an argument is not valid UTF-8"),
        (("sql", "select 1; select 2"), "give exactly one query"),
        (
            ("sql", "select now()"),
            "times with a zone cannot be shown: cast them, as in `select now()::timestamp`",
        ),
        (("sql", "select * from nowhere"), "Catalog Error: Table with name nowhere does not exist!"),
        (
            ("bankroll", "--match", "bounty/one-name", "--plot", "x.gif"),
            "--plot takes FILE.png or FILE.svg, not 'x.gif'",
        ),
        (("simulate", "whist"), "no game called 'whist' can be simulated; there are holdem-mit, bounty"),
        (("simulate", "bounty", "--player", "Ann"), "--player takes NAME=STYLE, not 'Ann'"),
        (
            ("simulate", "bounty", "--profile", "x"),
            "bounty has no engine profile 'x'; there are latest, written",
        ),
        (("ingest", "x", "--game", "whist"), "no game is called 'whist'; there are holdem-mit, bounty"),
        (("ingest", "x", "--stack", "0"), "a stack of 0: it must be from 1 to 9007199254740992"),
        (("ingest", "x", "--stack", str(2**53 + 1)), "a stack of 9007199254740993: it must be from 1 to 900"),
        (("ingest", "x", "--stack", "many"), "Invalid value for '--stack': "),
        (("ingest", "x", "--blinds", "5"), "blinds of '5': they are two whole numbers, as in 1/2"),
        (("ingest", "x", "--blinds", "-1/2"), "blinds of '-1/2': they are two whole numbers, as in 1/2"),
        (("ingest", "x", "--blinds", "2/1"), "blinds of 2/1: the small blind must be at most the big one"),
        (("ingest", "x", "--blinds", "0/0"), "blinds of 0/0: the small blind must be at most the big one"),
        (("ingest", "x", "--blinds", "9/67108864"), "blinds of 9/67108864: the small blind must be at most"),
        (
            ("ingest", "x", "--stack", "9", "--blinds", "5/10"),
            "a stack of 9 does not hold the big blind of 10",
        ),
        (
            ("ingest", "x", "--dialect", "x"),
            "no dialect is called 'x'; there are mit, mit-cambridge, mit-bounty",
        ),
    ],
)
def test_a_users_error_is_one_line_and_exit_2(
    run: Run, store: Path, arguments: tuple[str, ...], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAILBIRD_STORE", str(store))
    code, out, err = run(*arguments)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert err.startswith(f"railbird: {message}")
    assert "\x1b" not in err


@pytest.mark.parametrize(
    "command", [("verify",), ("bankroll",), ("stats",), ("standings",), ("replay", "1#1"), ("report",)]
)
def test_a_store_that_is_not_there(run: Run, tmp_path: Path, command: tuple[str, ...]) -> None:
    code, out, err = run(*command, "--store", tmp_path / "none")
    assert (code, out, err) == (
        2,
        "",
        f"railbird: {tmp_path / 'none'}: no store is there; `railbird ingest LOGS` makes one, "
        "--store names another\n",
    )


def test_an_error_of_railbird_itself_is_no_users_error(
    run: Run, tmp_path: Path, sample_logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*_: object, **__: object) -> None:
        raise ValueError("operands could not be broadcast together")

    monkeypatch.setattr(import_module("railbird.ingest"), "publish", failing)
    with pytest.raises(ValueError, match="operands"):
        run("ingest", sample_logs / "bounty", "--store", tmp_path / "store")


@pytest.mark.parametrize(
    ("command", "name"),
    [(("stats",), "tendencies"), (("sql", "from tendencies"), "tendencies"), (("bankroll",), "results")],
)
def test_a_view_of_railbirds_that_fails_is_no_users_error(
    run: Run, store: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], name: str
) -> None:
    broken = tuple(
        replace(view, query="select nothing from nowhere") if view.name == name else view
        for view in views.all_views()
    )
    monkeypatch.setattr(views, "all_views", lambda: broken)
    with pytest.raises(duckdb.CatalogException, match="nowhere"):
        run(*command, "--store", store)


@pytest.mark.parametrize(
    "command", [("bankroll",), ("standings",), ("luck",), ("sql", "from seats"), ("report",), ("collusion",)]
)
def test_a_part_that_is_damaged_inside_is_told_in_one_line(
    run: Run, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    copied = shutil.copytree(store, tmp_path / "store")
    for part in (copied / "seats").iterdir():
        data = part.read_bytes()
        part.write_bytes(data[: len(data) // 8] + bytes(len(data) // 2) + data[-(-len(data) * 5 // 8) :])
    monkeypatch.chdir(tmp_path)
    code, out, err = run(*command, "--store", copied)
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    # The user's own query gets DuckDB's words.
    told = "Invalid Input Error: " if command[0] == "sql" else f"{copied}/seats/"
    assert err.startswith(f"railbird: {told}")
    assert command[0] == "sql" or " is damaged: its bytes are not those that were written; " in err


def test_a_part_that_is_damaged_while_a_command_runs_is_the_stores_error(store: Path, tmp_path: Path) -> None:
    copied = shutil.copytree(store, tmp_path / "store")
    part = next((copied / "seats").iterdir())
    with pytest.raises(StoreError, match=re.escape(str(part))), opened_store(copied) as opened:
        part.write_bytes(b"no Parquet")
        opened.execute("from seats").fetchall()


@pytest.mark.skipif(not os.path.isdir("/proc/self/fd"), reason="open files have no paths here")
def test_a_part_that_is_removed_while_a_command_runs_is_read_on(store: Path, tmp_path: Path) -> None:
    copied = shutil.copytree(store, tmp_path / "store")
    with opened_store(copied) as opened:
        before = opened.execute("select count(*) from seats").fetchall()
        for part in (copied / "seats").iterdir():
            part.unlink()
        assert opened.execute("select count(*) from seats").fetchall() == before


def test_a_place_that_cannot_be_written(run: Run, store: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, _, err = run("report", "--store", store, "--match", "one-name", "--out", tmp_path / "file")
    assert code == 2
    assert err == f"railbird: {tmp_path / 'file'} is a file: choose a folder for the pages\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("collusion", "--seed", "-5"),
        ("collusion", "--seed", "99999999999999999999999"),
        ("standings", "--seed", "99999999999999999999999"),
        ("standings", "--draws", "100001"),
        ("simulate", "--seed", "-1", "bounty"),
        ("simulate", "--seed", "4294967296", "bounty"),
    ],
)
def test_numbers_out_of_range(
    run: Run, store: Path, arguments: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RAILBIRD_STORE", str(store))
    code, out, err = run(*arguments)
    assert (code, out) == (2, "") and err.count("\n") == 1 and arguments[1] in err


@pytest.mark.parametrize("form", ["table", "json"])
def test_collusion_in_an_event_that_is_not_there(run: Run, store: Path, form: str) -> None:
    said = run("collusion", "--event", "x", "--store", store, "--format", form)
    assert said == (2, "", "railbird: no match is of the event 'x'\n")


def test_the_beginning_of_several_match_ids_is_refused(run: Run, store: Path) -> None:
    for command in ("verify", "bankroll", "report", "audit"):
        code, out, err = run(command, "--match", "1", "--store", store)
        assert (code, out) == (2, "")
        assert re.fullmatch(r"railbird: '1' matches \d+: .*; give a match_id\n", err)


def test_a_report_is_not_written_into_a_store(run: Run, store: Path) -> None:
    said = run("report", "--store", store, "--out", store)
    assert said == (2, "", f"railbird: {store} is a store: choose another folder for the pages\n")


def test_an_object_has_room_for_one_column_of_a_name(run: Run, store: Path) -> None:
    code, out, err = run("sql", "select 1 as a, 2 as a", "--store", store, "--format", "json")
    assert (code, out) == (2, "") and err.startswith("railbird: two columns are named 'a'")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("stats", "--player", "harbor"), "no player is called 'harbor'; most like it: 'Harbour'"),
        (("opponent", "Gemni"), "no player is called 'Gemni'; most like it: 'Gemini'"),
        (("standings", "--event", "bountyy"), "no match is of the event 'bountyy'; most like it: 'bounty'"),
        (("stats", "--player", "q" * 200), f"no player is called '{'q' * 59}…'"),
    ],
)
def test_a_name_that_nobody_has_is_told_with_those_alike(
    run: Run, store: Path, arguments: tuple[str, ...], said: str
) -> None:
    assert run(*arguments, "--store", store) == (2, "", f"railbird: {said}\n")


def test_of_several_players_of_a_name_the_one_is_meant_who_met_the_other(run: Run, tmp_path: Path) -> None:
    """Ann meets Bob in one event and Cid in two."""
    met = ("one", "Bob"), ("one", "Cid"), ("two", "Cid"), ("three", "Dora")
    for seed, (event, other) in enumerate(met):
        (tmp_path / "logs" / event).mkdir(parents=True, exist_ok=True)
        log = simulate("holdem-mit", [("Ann", "random"), (other, "random")], 20, seed)
        (tmp_path / "logs" / event / f"{other}.txt").write_text(log, encoding="utf-8")
    store = tmp_path / "store"
    ingest([tmp_path / "logs"], store)
    for command in ("why", "opponent"):
        code, out, _ = run(command, "Ann", "--against", "Bob", "--store", store, "--format", "json")
        found = json.loads(out)
        assert (code, found.get("event") or found["player"]["event"]) == (0, "one")
        code, out, err = run(command, "Ann", "--against", "Cid", "--store", store)
        assert (code, out) == (2, "")
        assert err == "railbird: 'Ann' is several players; choose one: --event one; --event two\n"
    _, _, err = run("opponent", "Ann", "--store", store)
    assert err.endswith("choose one: --event one; --event three; --event two\n")
