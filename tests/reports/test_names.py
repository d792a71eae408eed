"""Matches and hands by the names that people type, in every command alike."""

import json
import os
import re
from pathlib import Path
from typing import NamedTuple, cast

import pytest
from conftest import Run

from railbird.analytics.store import Store
from railbird.ingest import ingest
from railbird.parsers.sources import WishError
from railbird.replay.simulate import simulate
from railbird.reports.matches import numbered
from railbird.reports.terminal import Answer
from railbird.storage.locations import natural_order, place_of
from railbird.storage.names import expanded, matches_beginning, remember

PLAYERS = [("Ann", "loose-aggressive"), ("Bea", "calling-station")]


@pytest.fixture
def logs(tmp_path: Path) -> Path:
    """Logs of a few hands, in two folders."""
    for seed, name in enumerate(
        ("day1/alpha-1.txt", "day1/alpha-2.txt", "day2/beta-9.txt", "day2/beta-10.txt")
    ):
        path = tmp_path / "logs" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(simulate("holdem-mit", PLAYERS, 6, seed), newline="")
    return tmp_path / "logs"


@pytest.fixture
def store(logs: Path, tmp_path: Path) -> Path:
    ingest([logs], tmp_path / "store", event="cup")
    return tmp_path / "store"


@pytest.fixture
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "railbird"


def files_of(run: Run, store: Path, *options: str) -> set[str]:
    code, out, err = run("hands", "--store", store, "--format", "json", *options)
    assert (code, err) == (0, "")
    return {Path(row["path"]).name for row in json.loads(out)}


def id_of(run: Run, store: Path, name: str) -> str:
    _, out, _ = run("hands", "--store", store, "--match", name, "--limit", "1", "--format", "json")
    return str(json.loads(out)[0]["match_id"])


def test_a_match_is_a_file_or_a_clear_beginning(run: Run, store: Path) -> None:
    for name in (
        "alpha-1.txt",
        "alpha-1",
        "day1/alpha-1",
        "alpha-1.",
        "day1/alpha-1.t",
        id_of(run, store, "alpha-1"),
    ):
        assert files_of(run, store, "--match", name) == {"alpha-1.txt"}
    # The whole name of a file comes before the beginning of another.
    assert files_of(run, store, "--match", "beta-1") == {"beta-10.txt"}
    code, out, err = run("hands", "--store", store, "--match", "alpha")
    assert (code, out, len(err.splitlines())) == (2, "", 1)
    assert err.startswith("railbird: 'alpha' matches 2: ") and err.endswith("; give a match_id\n")
    for nothing in ("", "gamma", "lpha", "day1"):
        assert run("bankroll", "--store", store, "--match", nothing)[0] == 2
    ids = {id_of(run, store, name) for name in ("alpha-1", "alpha-2", "beta-9", "beta-10")}
    mine = id_of(run, store, "beta-9")
    clear = next(mine[:k] for k in range(1, 21) if sum(one.startswith(mine[:k]) for one in ids) == 1)
    assert files_of(run, store, "--match", clear) == {"beta-9.txt"}


def test_ids_that_begin_alike_are_not_clear_though_of_one_file() -> None:
    class Match(NamedTuple):
        match_id: int
        path: str

    of_one = [Match(11, "logs/2024.log"), Match(12, "logs/2024.log"), Match(21, "logs/2024.log")]
    other = Match(13, "logs/2025.log")
    assert matches_beginning(of_one, "1") == (of_one[:2], False)
    assert matches_beginning(of_one, "11") == (of_one[:1], True)
    # The file's name begins so, and an id of it.
    assert matches_beginning([*of_one, other], "2024") == (of_one, True)
    assert matches_beginning([*of_one, other], "2")[1] is False
    assert matches_beginning(of_one, "2") == (of_one, True)


def test_numbers_of_any_length_have_their_natural_order() -> None:
    paths = ["a", "a0b", "a1", "a2", "a10", f"a1{'0' * 5000}", f"a2{'0' * 5000}", "b"]
    assert sorted(paths[::-1], key=natural_order) == paths
    assert natural_order("a007") == natural_order("a7")


def test_the_last_match_read(run: Run, store: Path, logs: Path) -> None:
    assert files_of(run, store, "--match", "@last") == {"beta-10.txt"}
    (logs / "alpha-0.txt").write_text(simulate("holdem-mit", PLAYERS, 6, 9), newline="")
    ingest([logs], store, event="cup")
    assert files_of(run, store, "--match", "@last") == {"alpha-0.txt"}
    assert "alpha-0.txt, from line" in run("replay", "@last#2", "--store", store)[1]


def test_rows_of_the_last_table(run: Run, store: Path, state: Path) -> None:
    code, _, err = run("replay", "@1", "--store", store)
    assert (code, err) == (
        2,
        "railbird: @1: no table with such numbers was printed for this store; `railbird bankroll` prints one\n",
    )
    _, out, _ = run("hands", "--store", store, "--sort", "pot", "--limit", "3")
    names = [line.split()[1] for line in out.splitlines() if line.strip().startswith("@")][1:]
    assert len(names) == 3
    for number, name in enumerate(names, 1):
        assert run("replay", f"@{number}", "--store", store) == run("replay", name, "--store", store)
    match = names[1].partition("#")[0]
    # JSON prints no numbers and leaves them.
    assert files_of(run, store, "--match", "@2") == files_of(run, store, "--match", match)
    assert run("replay", "@2#0", "--store", store) == run("replay", f"{match}#0", "--store", store)
    for name, message in (
        ("@4", "@4: the last table printed for this store has the rows @1 to @3"),
        ("@0", "@0: the last table printed for this store has the rows @1 to @3"),
        ("@x", "'@x' is no name: @last is the match read last, @1 the first row of the last table"),
        ("@²", "'@²' is no name: @last is the match read last, @1 the first row of the last table"),
    ):
        assert run("replay", name, "--store", store) == (2, "", f"railbird: {message}\n")
    assert [oct(path.stat().st_mode & 0o777) for path in (state, *state.iterdir())] == ["0o700", "0o600"]


def test_a_match_is_called_by_its_file_or_by_id_and_file_where_several_have_it(
    run: Run, sample_logs: Path, tmp_path: Path
) -> None:
    for folder, log in (("one", "base.txt"), ("two", "faults.txt")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "log.txt").write_bytes((sample_logs / "holdem-mit" / log).read_bytes())
    (tmp_path / "other.txt").write_bytes((sample_logs / "holdem-mit" / "free-folds.txt").read_bytes())
    logs = [tmp_path / name for name in ("one", "two", "other.txt")]
    assert run("ingest", *logs, "--store", tmp_path / "store")[0] == 0
    _, out, _ = run("bankroll", "--store", tmp_path / "store")
    assert re.search(r"(?m)^ @\d  other\.txt ", out)
    shared = re.findall(r"(?m)^ @\d  (\d+) log\.txt +(\S+) ", out)
    assert len(shared) == 2
    for number, player in shared:
        asked = "--match", number, "--format", "json"
        code, out, _ = run("bankroll", "--store", tmp_path / "store", *asked)
        rows = json.loads(out)
        assert code == 0 and {row["match_id"][: len(number)] for row in rows} == {number}
        assert player in {row["player"] for row in rows}


def test_other_tables_of_matches_and_hands_have_numbers_too(run: Run, store: Path, state: Path) -> None:
    """Those of `luck` go on from table to table."""
    _, out, _ = run("luck", "--by", "match", "--store", store)
    rows = re.findall(r"(?m)^ (@\d) +(\d+) ", out)
    assert sorted({number for number, _ in rows}) == [
        f"@{k}" for k in range(1, len({m for _, m in rows}) + 1)
    ]
    assert len(rows) > 1
    for number, match in rows:
        assert run("replay", f"{number}#0", "--text", "--store", store)[1].startswith(f"Hand {match}#0:")


def test_rows_without_a_hand_have_no_number_and_the_faint_ones_stay_faint(
    tmp_path: Path, state: Path
) -> None:
    class Kept:
        is_kept = False

    table = Answer(("hand", "n"), [("a", 1), ("b", 50), ("c", 2)], "", faint=lambda row: row[1] < 30)
    made = numbered(cast(Store, Kept()), table, [(7, 0), None, (7, 1)])
    assert made.columns == ("@", "hand", "n")
    assert made.rows == [["@1", "a", 1], ["", "b", 50], ["@2", "c", 2]]
    assert made.faint is not None and [made.faint(row) for row in made.rows] == [True, False, True]
    assert numbered(cast(Store, Kept()), table, [None] * 3) is table


def test_a_table_of_matches_has_a_number_for_each(run: Run, store: Path, state: Path) -> None:
    _, out, _ = run("bankroll", "--store", store)
    rows = [line.split() for line in out.splitlines() if ".txt" in line]
    assert [row[0] for row in rows[::2]] == ["@1", "@2", "@3", "@4"]
    assert not any(row[0].startswith("@") for row in rows[1::2])
    assert files_of(run, store, "--match", "@3") == {rows[4][1]}
    assert run("replay", "@3", "--store", store) == (2, "", "railbird: @3 is a match: a hand of it is @3#0\n")
    _, told, _ = run("tag", "@1", "version=v7", "--store", store)
    assert told.startswith("tagged 1 match")
    # A tag changes no match, forgetting does.
    name = files_of(run, store, "--match", "@2")
    code, out, _ = run("forget", "@1", "--store", store)
    assert (code, out.startswith("forgot 1 match")) == (0, True)
    for arguments in (
        ("forget", "@2"),
        ("replay", "@2#0"),
        ("bankroll", "--match", "@2"),
        ("compare", "Ann", "Bea", "--as-of", "@2"),
    ):
        code, out, err = run(*arguments, "--store", store)
        assert (code, out, err) == (
            2,
            "",
            "railbird: @2: the store has changed since its last table was printed; print the table again\n",
        )
    run("bankroll", "--store", store)
    assert files_of(run, store, "--match", "@1") == name


def test_forget_takes_a_folder_before_a_beginning_and_nothing_unclear(
    run: Run, store: Path, logs: Path
) -> None:
    (logs / "day1x.txt").write_text(simulate("holdem-mit", PLAYERS, 6, 7), newline="")
    ingest([logs], store, event="cup")
    code, _, err = run("forget", "beta-", "--store", store)
    assert (code, err) == (2, "railbird: 'beta-' begins several names; give more of it, or a match_id\n")
    assert run("forget", "day1", "--store", store)[1].startswith("forgot 2 matches")
    assert run("forget", "beta-9.", "--store", store)[1].startswith("forgot 1 match")
    assert files_of(run, store) == {"beta-10.txt", "day1x.txt"}


def test_numbers_of_others_are_not_read(run: Run, store: Path, state: Path) -> None:
    place = place_of(store)
    remember(place, [(7, 1), (8, None)])
    assert [expanded(place, name) for name in ("@1", "@2", "@1#5", "x")] == ["7#1", "8", "7#5", "x"]
    (file,) = state.iterdir()
    enormous = file.read_text().replace("[7,", "[1e999,")
    for text in (
        "",
        "[]",
        "{}",
        '{"store": 1, "matches": 2, "rows": 3}',
        '{"rows": [["a", "b"]]}',
        "[" * 99_999,
        enormous,
    ):
        file.write_text(text)
        with pytest.raises(WishError, match="no table with such numbers"):
            expanded(place, "@1")
    remember(place, [(7, 1)])
    for path, mode in ((file, 0o622), (state, 0o777)):
        before = path.stat().st_mode
        path.chmod(mode)
        with pytest.raises(WishError, match="no table with such numbers"):
            expanded(place, "@1")
        path.chmod(before)
    os.replace(file, state / "elsewhere")
    file.symlink_to(state / "elsewhere")
    with pytest.raises(WishError, match="no table with such numbers"):
        expanded(place, "@1")


def test_a_state_folder_that_cannot_be_written_stops_no_table(
    run: Run, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    assert run("bankroll", "--store", store)[0] == 0


def test_a_user_without_a_home_has_tables_without_numbers(
    run: Run, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "relative")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    assert run("bankroll", "--store", store)[0] == 0
    assert len([*(tmp_path / "home" / ".local" / "state" / "railbird").iterdir()]) == 1
    assert not (tmp_path / "relative").exists()
    # What Python returns where the user has no home.
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)
    assert run("bankroll", "--store", store)[0] == 0
    assert "no table with such numbers" in run("replay", "@1", "--store", store)[2]
    assert not (tmp_path / "~").exists()


def test_a_folder_of_logs_keeps_no_numbers(run: Run, logs: Path, state: Path) -> None:
    assert run("hands", "--store", logs, "--limit", "1")[0] == 0
    assert not state.exists()
