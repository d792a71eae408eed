"""A damaged part is named, and an ingest of the same logs repairs it: the rows are those of an undisturbed store."""

import gzip
import random
import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from conftest import Run

import railbird as rb
from railbird.ingest import ingest
from railbird.schema.columns import TABLES
from railbird.storage.editing import tag
from railbird.storage.integrity import checked_parts
from railbird.storage.locations import Folder
from railbird.storage.manifest import read_manifest

WHAT = (
    "bounty/2025-01-05.txt",
    "koper",
    "acpc/kuhn.log",
    "blotto/late.txt",
    "swap/faults.txt",
    "holdem-mit/base.txt",
)


@pytest.fixture(scope="module")
def logs(sample_logs: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("repair") / "logs"
    folder.mkdir()
    short = (sample_logs / WHAT[0]).read_bytes()
    (folder / "short.txt").write_bytes(short[: len(short) // 4])
    (folder / "notes.txt").write_text("no log\n")
    (folder / "torn.txt.gz").write_bytes(gzip.compress(short)[:9])
    (folder / "strange.txt").write_bytes(
        short[: len(short) // 8] + b"what is this\n" + short[len(short) // 8 :][:900]
    )
    return [folder / "short.txt", folder, *(sample_logs / name for name in WHAT[1:])]


@pytest.fixture(scope="module")
def made(logs: list[Path], tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("made") / "store"
    # Of several commits, so that what is damaged is not all there is.
    ingest(logs[:1], root)
    ingest(logs, root)
    with rb.open(root) as store:
        store.count_equities()
        match = store.execute("select min(match_id) from matches").fetchall()[0][0]
    tag(root, [str(match)], {"version": "v7"})
    return root


def rows(root: Path) -> dict[str, list[str]]:
    """All rows of all tables, in no order; when a tag was set is left out."""
    manifest, place = read_manifest(root), Folder(root)
    return {
        table: sorted(
            repr({name: value for name, value in row.items() if name != "tagged_at"})
            for part in manifest.parts(table)
            for row in pq.read_table(place.open(part.name), partitioning=None).to_pylist()
        )
        for table in TABLES
    }


@pytest.fixture(scope="module")
def undisturbed(made: Path) -> dict[str, list[str]]:
    return rows(made)


def flip(part: Path, dice: random.Random) -> None:
    changed = bytearray(part.read_bytes())
    changed[dice.randrange(len(changed))] ^= 1 << dice.randrange(8)
    part.write_bytes(changed)


def test_what_is_missing_and_what_is_changed_are_both_told(
    made: Path, logs: list[Path], undisturbed: dict[str, list[str]], tmp_path: Path
) -> None:
    """A lost part is seen as an ingest begins, a flipped bit only once its logs are known again."""
    store = tmp_path / "store"
    shutil.copytree(made, store)
    first, *_, last = [part.name for part in read_manifest(made).parts("actions")]
    (store / first).unlink()
    flip(store / last, random.Random(1))
    summary = ingest(logs, store)
    assert summary.repaired is not None and {first, last} <= {*summary.repaired.parts}
    assert any(line.startswith("repaired  2 damaged parts") for line in summary.lines()), summary.lines()
    assert not any(one.problem for one in checked_parts(Folder(store)))
    found = rows(store)
    assert all(found[name] == undisturbed[name] for name in TABLES.keys() - {"equities", "counted", "tags"})


@pytest.mark.parametrize("table", [table for table in TABLES if table != "notes"])
def test_a_flipped_bit_in_any_table_is_repaired(
    table: str, made: Path, logs: list[Path], undisturbed: dict[str, list[str]], tmp_path: Path
) -> None:
    parts = [part.name for part in read_manifest(made).parts(table)]
    store = tmp_path / "store"
    shutil.copytree(made, store)
    flip(store / parts[-1], random.Random(table))
    assert [one.part.name for one in checked_parts(Folder(store)) if one.problem] == [parts[-1]]
    summary = ingest(logs, store)
    assert any(line.startswith("repaired  1 damaged part") for line in summary.lines()), summary.lines()
    assert not any(one.problem for one in checked_parts(Folder(store)))
    if table in ("equities", "counted"):
        with rb.open(store) as opened:
            opened.count_equities()
    without = {"tags"} if table == "tags" else set()
    if table not in ("equities", "counted"):
        without |= {"equities", "counted"}
    found = rows(store)
    for name in TABLES.keys() - without:
        assert found[name] == undisturbed[name], name
    assert not ingest(logs, store).repaired


def test_what_is_missing_or_cut_is_named_at_once_and_repaired(
    made: Path, logs: list[Path], undisturbed: dict[str, list[str]], tmp_path: Path, run: Run
) -> None:
    store = tmp_path / "store"
    shutil.copytree(made, store)
    one, other = (read_manifest(store).parts(table)[0].name for table in ("hands", "matches"))
    (store / one).write_bytes((store / one).read_bytes()[:-5])
    said = f"railbird: {store}/{one} is damaged: it is no Parquet file any more; `railbird ingest` of the same logs"
    assert run("bankroll", "--store", store)[::2] == (2, f"{said} repairs it\n")
    (store / other).unlink()
    assert run("verify", "--store", store)[0] == 2
    code, out, _ = run("ingest", *logs, "--store", store)
    assert code == 0
    assert "repaired  2 damaged parts" in out
    found = rows(store)
    assert {name: found[name] for name in ("hands", "files", "unknown_lines", "matches", "tags")} == {
        name: undisturbed[name] for name in ("hands", "files", "unknown_lines", "matches", "tags")
    }


def test_logs_that_are_not_given_keep_what_is_left(
    made: Path, logs: list[Path], tmp_path: Path, run: Run
) -> None:
    """Nothing is taken out of the store unless all that is lost can be read again."""
    store = tmp_path / "store"
    shutil.copytree(made, store)
    part = max(read_manifest(store).parts("hands"), key=lambda part: (store / part.name).stat().st_size).name
    (store / part).write_bytes(b"")
    before = sorted(store.rglob("*.parquet"))
    code, out, err = run("ingest", logs[-1], "--store", store)
    assert code == 0
    assert "repaired" not in out
    assert err.startswith(f"railbird: {store}/{part} is damaged: ")
    assert "to repair it, ingest also " in err
    assert "kuhn.log" in err
    assert err.count("\n") == 1
    assert sorted(store.rglob("*.parquet")) == before


def test_logs_that_nothing_names_are_told(tmp_path: Path, sample_logs: Path, run: Run) -> None:
    """The rows of files and of matches of one batch are lost: its hands alone say that other logs were read."""
    store, one, other = tmp_path / "store", tmp_path / "one.txt", tmp_path / "other.txt"
    shutil.copy(sample_logs / "holdem-mit" / "base.txt", one)
    shutil.copy(sample_logs / "swap" / "faults.txt", other)
    ingest([one, other], store)
    manifest = read_manifest(store)
    lost = [part.name for table in ("files", "matches") for part in manifest.parts(table)]
    for name in lost:
        flip(store / name, random.Random(name))
    undamaged = tmp_path / "copy"
    shutil.copytree(store, undamaged)
    said = "the logs of 2 of its matches are unknown"
    (tmp_path / "empty").mkdir()
    code, _, err = run("ingest", tmp_path / "empty", "--store", store)
    assert code == 2
    assert f"; {said}: ingest all logs of the store" in err
    code, out, err = run("ingest", one, "--store", store)
    assert code == 0
    assert "repaired  2 damaged parts" in out
    assert err == (
        f"railbird: {store}/{lost[0]} was damaged, and {said}; 1 of them is not in the store again: "
        "ingest all logs of the store\n"
    )
    # With all logs there is nothing to say.
    assert run("ingest", one, other, "--store", undamaged)[::2] == (0, "")
    assert len(read_manifest(undamaged).parts("files")) == 1


def test_a_damaged_part_is_not_merged_under_a_hash_that_hides_it(
    made: Path, tmp_path: Path, run: Run
) -> None:
    store = tmp_path / "store"
    shutil.copytree(made, store)
    part = read_manifest(store).parts("hands")[0].name
    data = bytearray((store / part).read_bytes())
    data[len(data) // 3] ^= 4
    (store / part).write_bytes(data)
    said = (
        f"railbird: {store}/{part} is damaged: its bytes are not those that were written; `railbird ingest`"
    )
    code, _, err = run("compact", "--store", store)
    assert code == 2
    assert err.startswith(said)


def test_a_query_that_fails_names_the_damaged_part(made: Path, tmp_path: Path, run: Run) -> None:
    """Whatever bits of a part are others: one line, with the part, or an answer; never a traceback."""
    store, dice, named = tmp_path / "store", random.Random(5), 0
    shutil.copytree(made, store)
    manifest = read_manifest(store)
    parts = [part.name for table in ("matches", "hands", "seats") for part in manifest.parts(table)]
    for number in range(24):
        part = store / parts[number % len(parts)]
        whole = part.read_bytes()
        for _ in range(8):
            flip(part, dice)
        code, _, err = run(("verify", "bankroll", "stats")[number % 3], "--store", store)
        assert code in (0, 1, 2), (number, err)
        if code == 2:
            assert len(err.splitlines()) == 1
            assert str(part.relative_to(store)) in err
            named += 1
        part.write_bytes(whole)
    assert named > 3
