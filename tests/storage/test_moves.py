"""A glob of a table finds the store's content when no command is writing; a kill at any step is mended by the next."""

import os
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import polars as pl
import pyarrow.parquet as pq
import pytest
from support.stores import LINES, batch_of_lines

import railbird as rb
from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.replay.simulate import simulate
from railbird.schema.columns import TABLES
from railbird.storage.compacting import compact
from railbird.storage.editing import forget, tag
from railbird.storage.locations import PENDING, RETIRED, Folder, spots
from railbird.storage.manifest import commit, extend, locked, read_manifest, sizes_of, staging
from railbird.storage.reading import OpenFiles


def globbed(store: Path) -> dict[str, set[str]]:
    """The parts that a glob of each table finds."""
    return {table: {path.name for path in (store / table).glob("*.parquet")} for table in TABLES}


def named(store: Path) -> dict[str, set[str]]:
    """The parts that the manifest names."""
    manifest = read_manifest(store)
    return {table: {part.file for part in manifest.parts(table)} for table in TABLES}


def lines(store: Path) -> list[int]:
    """The rows of the store, as readers who go by its manifest see them."""
    place, parts = Folder(store), read_manifest(store).parts(LINES)
    return sorted(line for part in parts for line in pq.read_table(place.open(part.name))["line"].to_pylist())


def globbed_lines(store: Path) -> list[int]:
    """The rows of the store, as a reader that knows of no manifest sees them."""
    return sorted(pl.read_parquet(f"{store}/{LINES}/*.parquet", columns=["line"])["line"].to_list())


def globbed_hands(store: Path) -> int:
    """How many hands Polars finds in the store."""
    return pl.read_parquet(f"{store}/hands/*.parquet", columns=["match_id"]).height


def write(store: Path, some: range, drop: int = 0) -> None:
    """Commit a batch in place of the first ones."""
    with locked(store), staging(store) as folder:
        old = [batch.name for batch in read_manifest(store).batches[:drop]]
        commit(store, [(folder, batch_of_lines(folder, some))], drop=old)


def open_for_writing(store: Path) -> None:
    """Be the next writer of a store, with nothing to write: entering `staging` finishes an interrupted commit."""
    with locked(store), staging(store) as folder:
        assert folder.is_dir()


def drop_first(store: Path) -> None:
    with locked(store), staging(store):
        commit(store, [], drop=[batch.name for batch in read_manifest(store).batches[:1]])


def add_to_first(store: Path) -> None:
    with locked(store), staging(store) as folder:
        batch = batch_of_lines(folder, range(20, 25))
        extend(store, folder, {read_manifest(store).batches[0].name: batch.parts})


class Killed(BaseException):
    """The process is no more."""


@contextmanager
def killed_at(step: int, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """From a step on nothing changes on disk any more. Steps are the calls that rename or remove something."""
    done: list[str] = []

    def counted(name: str) -> Callable[..., Any]:
        call = getattr(os, name)

        def do(*arguments: Any, **options: Any) -> Any:
            if len(done) >= step:
                raise Killed
            done.append(name)
            return call(*arguments, **options)

        return do

    with monkeypatch.context() as patched:
        for name in ("rename", "replace", "unlink", "rmdir", "mkdir", "fsync"):
            patched.setattr(os, name, counted(name))
        yield done


CHANGES: dict[str, tuple[int, Callable[[Path], object], list[int], list[int]]] = {
    "a first commit": (0, lambda store: write(store, range(10)), [], [*range(10)]),
    "another": (2, lambda store: write(store, range(20, 25)), [*range(20)], [*range(25)]),
    "one replaced": (
        2,
        lambda store: write(store, range(20, 25), drop=1),
        [*range(20)],
        [*range(10, 25)],
    ),
    "all merged": (2, compact, [*range(20)], [*range(20)]),
    "one taken out": (2, drop_first, [*range(20)], [*range(10, 20)]),
    "one extended": (2, add_to_first, [*range(20)], [*range(25)]),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_kill_at_any_step_is_mended_by_the_next_writer(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Readers by the manifest see the state before or the one after, never another; then so does a glob."""
    batches, change, before, after = CHANGES[what]
    made = tmp_path / "made"
    for number in range(batches):
        write(made, range(10 * number, 10 * number + 10))
    seen = []
    for step in range(200):
        store = tmp_path / str(step)
        if batches:
            shutil.copytree(made, store)
        with killed_at(step, monkeypatch) as done:
            try:
                change(store)
                whole = True
            except Killed:
                whole = False
        held = bool(store.exists() and read_manifest(store).batches)
        seen.append(lines(store) if held else [])
        assert seen[-1] in (before, after)
        if whole:
            assert globbed(store) == named(store)
        open_for_writing(store)
        assert globbed(store) == named(store)
        assert not list((store / PENDING).rglob("*.parquet"))
        assert (lines(store) if held else []) == seen[-1]
        if held:
            assert globbed_lines(store) == seen[-1]
        if whole:
            break
    assert whole
    assert len(done) > 5
    assert seen == sorted(seen, key=lambda lines_seen: lines_seen == after)
    assert seen[0] == before
    assert seen[-1] == after
    # At some step the manifest was new and the parts not all moved yet.
    assert before == after or seen.count(after) > 1


def test_a_glob_is_the_store_after_a_replacement_and_merging(tmp_path: Path, sample_logs: Path) -> None:
    store = tmp_path / "store"
    whole = simulate("bounty", [("Ann", "random"), ("Bea", "random")], hands=20, seed=1)
    log = tmp_path / "log.txt"
    for text in (whole[: whole.index("\n\nRound #9,")], whole):
        log.write_text(text)
        ingest([log], store)
        assert globbed(store) == named(store)
    assert globbed_hands(store) == 20
    assert list((store / RETIRED).rglob("*.parquet"))
    ingest([sample_logs / "holdem-mit" / "base.txt"], store)
    assert compact(store).batches
    assert globbed(store) == named(store)
    with rb.open(store) as opened:
        assert opened.execute("select count(*) from hands").fetchall() == [(globbed_hands(store),)]


def test_a_reader_reads_on_while_parts_are_moved_and_even_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, range(10))
    with open_store(tmp_path) as opened:
        ask = f"select sum(line) from stored.{LINES}"
        write(tmp_path, range(30, 40), drop=1)
        assert opened.execute(ask).fetchall() == [(45,)]
        monkeypatch.setattr("railbird.storage.manifest.GRACE", -1)
        write(tmp_path, range(40, 50), drop=1)
        assert not list((tmp_path / RETIRED).rglob("*.parquet")) or len(named(tmp_path)[LINES]) == 1
        assert opened.execute(ask).fetchall() == [(45,)]


def test_a_reader_begins_anew_where_parts_are_removed_while_it_opens_the_store(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, range(10))
    monkeypatch.setattr("railbird.storage.manifest.GRACE", -1)
    module, others = sys.modules["railbird.analytics.store"], [range(30, 40), range(40, 50)]
    there = module.sizes_of

    def slowly(*given: Any) -> Any:
        found = there(*given)
        if others:
            write(tmp_path, others.pop(0), drop=1)
            # The next writer removes what was replaced.
            open_for_writing(tmp_path)
        return found

    monkeypatch.setattr(module, "sizes_of", slowly)
    with open_store(tmp_path) as opened:
        assert opened.execute(f"select sum(line) from stored.{LINES}").fetchall() == [(sum(range(40, 50)),)]
    assert not others


@pytest.mark.parametrize("spot", [0, 1, 2])
def test_a_reader_finds_a_part_in_any_place(spot: int, tmp_path: Path) -> None:
    write(tmp_path, range(10))
    (part,) = read_manifest(tmp_path).parts(LINES)
    target = tmp_path / spots(part.name)[spot]
    target.parent.mkdir(parents=True, exist_ok=True)
    (tmp_path / part.name).rename(target)
    with open_store(tmp_path) as opened:
        assert opened.execute(f"select sum(line) from stored.{LINES}").fetchall() == [(45,)]
    assert Folder(tmp_path).open(part.name) == target
    assert list(sizes_of(Folder(tmp_path), read_manifest(tmp_path))) == [part.name]
    open_for_writing(tmp_path)
    assert globbed_lines(tmp_path) == [*range(10)]


def test_where_a_process_may_open_few_files_a_reader_goes_by_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, range(10))
    monkeypatch.setattr("railbird.storage.reading._most", lambda: 0)
    (part,) = read_manifest(tmp_path).parts(LINES)
    assert OpenFiles().path(Folder(tmp_path), part.name) == str(tmp_path / part.name)
    with open_store(tmp_path) as opened:
        assert opened.execute(f"select sum(line) from stored.{LINES}").fetchall() == [(45,)]


def test_a_closed_store_keeps_no_file_open(tmp_path: Path) -> None:
    write(tmp_path, range(10))
    before = OpenFiles._count
    with open_store(tmp_path):
        assert OpenFiles._count > before
    assert OpenFiles._count == before


EDITS: dict[str, Callable[[Path], object]] = {
    "tag": lambda store: tag(store, ["base.txt"], {"version": "v2"}),
    "forget": lambda store: forget(store, ["base.txt"]),
}
SAID = """
select path, version, (select count(*) from seats where match_id = m.match_id)
from matches m join files using (file_id) order by all
"""


@pytest.mark.parametrize("what", EDITS)
def test_a_killed_edit_has_changed_everything_or_nothing(
    what: str, tmp_path: Path, sample_logs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = tmp_path / "made"
    ingest([sample_logs / "holdem-mit"], made, tags={"version": "v1"})

    def said(store: Path) -> list[tuple[object, ...]]:
        with open_store(store) as opened:
            return opened.execute(SAID).fetchall()

    before = said(made)
    seen = []
    for step in range(200):
        store = tmp_path / str(step)
        shutil.copytree(made, store)
        with killed_at(step, monkeypatch) as done:
            try:
                EDITS[what](store)
                whole = True
            except Killed:
                whole = False
        seen.append(said(store))
        open_for_writing(store)
        assert globbed(store) == named(store)
        assert said(store) == seen[-1]
        if whole:
            break
    assert whole
    assert len(done) > 5
    after = seen[-1]
    assert after != before
    assert seen == sorted(seen, key=lambda one: one == after)
    assert seen[0] == before
    assert seen.count(after) > 1
    assert {repr(one) for one in seen} == {repr(before), repr(after)}
