"""Stores that strangers made, or a disk changed: one line, and nothing outside of them is read or written."""

import json
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run
from support.commands import STORE, railbird, rows

from railbird.ingest import ingest, is_vast
from railbird.parsers.sources import MOST_MANIFEST
from railbird.storage.locations import MANIFEST, PENDING, RETIRED, STAGING

IS_LINK = "is a link: railbird follows none in a store"


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, sample_logs: Path) -> Path:
    root = tmp_path_factory.mktemp("hostile") / "store"
    ingest([sample_logs / "holdem-mit" / "base.txt"], root)
    return root


@pytest.fixture
def store(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path / "store")
    return tmp_path / "store"


@pytest.mark.parametrize("name", [".lock", STAGING, PENDING, RETIRED, "hands", f"{PENDING}/hands", MANIFEST])
def test_links_in_a_store_are_not_followed(name: str, store: Path, sample_logs: Path, run: Run) -> None:
    there = store.parent / "victim"
    path = store / name
    if path.is_dir():
        shutil.copytree(path, there)
        shutil.rmtree(path)
    elif path.exists() and name != ".lock":
        shutil.copy(path, there)
        path.unlink()
    else:
        path.unlink(missing_ok=True)
        path.parent.mkdir(exist_ok=True)
        if name == ".lock":
            there.write_text("mine")
        else:
            there.mkdir()
    for folder in (there, there / "sub"):
        # What a sweep for leftovers would remove.
        if there.is_dir():
            folder.mkdir(exist_ok=True)
            (folder / "mine.parquet").write_text("mine")
    path.symlink_to(there)
    before = {file: file.read_bytes() for file in (there, *there.rglob("*")) if file.is_file()}
    log = str(sample_logs / "holdem-mit" / "base.txt")
    for words in (("ingest", log), ("verify",), ("compact",)):
        assert run(*words, "--store", store)[::2] == (2, f"railbird: {store}/{name} {IS_LINK}\n")
    assert {file: file.read_bytes() for file in (there, *there.rglob("*")) if file.is_file()} == before


def test_nor_are_links_to_a_part(store: Path, run: Run) -> None:
    (part,) = (store / "hands").iterdir()
    part.rename(store.parent / "elsewhere.parquet")
    part.symlink_to(store.parent / "elsewhere.parquet")
    said = (2, f"railbird: {store}/hands/{part.name} {IS_LINK}\n")
    assert run("verify", "--store", store, "--store-integrity")[::2] == said
    assert run("verify", "--store", store)[::2] == said


@pytest.mark.parametrize("name", [".lock", STAGING, "hands", MANIFEST, "hands/part"])
def test_a_pipe_in_a_store_is_not_waited_for(name: str, store: Path, sample_logs: Path) -> None:
    path = next((store / "hands").iterdir()) if name == "hands/part" else store / name
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    os.mkfifo(path)
    said = f"railbird: {store}/{path.relative_to(store)} is no file, but a pipe, socket or device\n"
    log = str(sample_logs / "holdem-mit" / "base.txt")
    for words in (("ingest", log), ("verify",), ("verify", "--store-integrity")):
        ended = railbird(store.parent, *words, "--store", str(store))
        assert (ended.returncode, ended.stderr) == (2, said)


def test_a_manifest_is_not_read_where_it_is_larger_than_any(store: Path, sample_logs: Path, run: Run) -> None:
    with (store / MANIFEST).open("wb") as file:
        file.truncate(MOST_MANIFEST + 1)
    said = f"railbird: {store} cannot be read: larger than 16,777,216 bytes\n"
    assert run("verify", "--store", store)[::2] == (2, said)
    assert run("ingest", sample_logs / "holdem-mit" / "base.txt", "--store", store)[::2] == (2, said)


def _edited(store: Path, change: Callable[[dict[str, object]], None]) -> None:
    held = json.loads((store / MANIFEST).read_text())
    change(held)
    (store / MANIFEST).write_text(json.dumps(held))


@pytest.mark.parametrize(
    "name",
    [
        "../../etc/passwd",
        "/etc/x.parquet",
        "../x.parquet",
        "a/b.parquet",
        "..",
        ".parquet",
        "",
        "x\0.parquet",
    ],
)
def test_names_from_the_manifest_never_leave_the_store(name: str, store: Path, run: Run) -> None:
    def change(held: dict[str, object]) -> None:
        batches = held["batches"]
        assert isinstance(batches, list)
        batches[0]["parts"][0][1] = name

    _edited(store, change)
    said = (2, f"railbird: {store}/{MANIFEST} is not a manifest\n")
    assert run("verify", "--store", store)[::2] == said
    assert run("compact", "--store", store)[::2] == said


def test_nor_do_names_of_tables(store: Path, run: Run) -> None:
    def change(held: dict[str, object]) -> None:
        batches = held["batches"]
        assert isinstance(batches, list)
        batches[0]["parts"][0][0] = ".."

    _edited(store, change)
    assert run("verify", "--store", store)[::2] == (2, f"railbird: {store}/{MANIFEST} is not a manifest\n")


def test_a_store_of_a_newer_schema_is_refused_in_one_line(store: Path, run: Run) -> None:
    _edited(store, lambda held: held.update(schema_version="99-abcdef"))
    for command in ("verify", "bankroll", "compact"):
        code, out, err = run(command, "--store", store)
        assert (code, out) == (2, "")
        assert err.startswith(f"railbird: {store} has schema version 99-abcdef, this railbird reads ")
        assert len(err.splitlines()) == 1


def test_every_flipped_bit_is_found(store: Path, run: Run) -> None:
    code, out, err = run("verify", "--store", store, "--store-integrity")
    assert (code, err) == (0, "")
    assert out.endswith(": whole\n")
    parts = sorted(store.rglob("*.parquet"))
    for part in parts:
        whole = part.read_bytes()
        for place in {0, 5, len(whole) // 3, len(whole) // 2, len(whole) - 1}:
            changed = bytearray(whole)
            changed[place] ^= 1 << place % 8
            part.write_bytes(changed)
            code, out, _ = run("verify", "--store", store, "--store-integrity", "--format", "json")
            assert code == 1
            name = part.relative_to(store).as_posix()
            assert json.loads(out) == [{"part": name, "problem": "its bytes are not those that were written"}]
        part.write_bytes(whole)
    parts[0].unlink()
    code, out, _ = run("verify", "--store", store, "--store-integrity")
    assert code == 1
    assert "it is missing" in out
    assert out.endswith("1 damaged; `railbird ingest` of the same logs repairs it\n")


def test_what_is_no_store_is_not_walked(tmp_path: Path, run: Run, sample_logs: Path) -> None:
    """Of a large tree only the first names are looked at."""
    folder = tmp_path / "many"
    folder.mkdir()
    for number in range(10_050):
        os.close(os.open(folder / f"{number}", os.O_CREAT))
    said = (2, f"railbird: {folder} is neither a railbird store nor a folder of logs\n")
    assert run("verify", "--store", folder)[::2] == said
    large = tmp_path / "large"
    large.mkdir()
    with (large / "film").open("wb") as out:
        out.truncate(1 << 33)
    said = (2, f"railbird: {large} is neither a railbird store nor a folder of logs\n")
    assert run("verify", "--store", large)[::2] == said
    # A log is found below other files.
    (large / "logs").mkdir()
    (large / "film").unlink()
    (large / "notes").write_text("no log")
    shutil.copy(sample_logs / "holdem-mit" / "base.txt", large / "logs")
    assert run("verify", "--store", large)[0] == 0
    # One log makes a home folder no folder of logs.
    for number in range(10_050):
        os.close(os.open(large / "logs" / f"{number}", os.O_CREAT))
    vast = (
        "is no store, and few of its more than 10,000 files are logs: "
        "name the folder of logs, or keep them by `railbird ingest`"
    )
    assert run("verify", "--store", large)[::2] == (2, f"railbird: {large} {vast}\n")
    # A season of many logs is one.
    log = next(path for path in (large / "logs").iterdir() if path.stat().st_size)
    for number in range(10_050):
        (large / "logs" / f"{number}").unlink()
        os.link(log, large / "logs" / f"{number}.txt")
    assert not is_vast(large / "logs")


@pytest.mark.parametrize("kind", ["deep", "large", "pipe"])
def test_a_manifest_among_logs_that_is_no_stores_costs_nothing(
    kind: str, sample_logs: Path, tmp_path: Path
) -> None:
    path = tmp_path / "logs" / "list" / MANIFEST
    path.parent.mkdir(parents=True)
    shutil.copy(sample_logs / "holdem-mit" / "base.txt", tmp_path / "logs")
    shutil.copy(sample_logs / "swap" / "faults.txt", path.parent)
    if kind == "pipe":
        os.mkfifo(path)
    else:
        path.write_bytes(b"[" * (100_000 if kind == "deep" else MOST_MANIFEST + 1))
    ended = railbird(tmp_path, "ingest", "logs", "--store", STORE)
    assert "Traceback" not in ended.stderr
    assert ended.stderr.splitlines()[-1].startswith(f"railbird: logs/list/{MANIFEST}: line 1: ")
    read = {name for (name,) in rows(tmp_path, "select path from files where hands_stored > 0")}
    assert read == {"logs/base.txt", "logs/list/faults.txt"}
