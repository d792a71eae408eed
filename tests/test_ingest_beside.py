"""Files beside a log inform its matches and add no hands: from the files on disk to what the store says."""

from __future__ import annotations

import bz2
import errno
import gzip
import lzma
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
import zstandard

from railbird.analytics.store import Store, open_store
from railbird.ingest import ingest
from railbird.parsers.acpc_game import parse_definition
from railbird.parsers.chunks import WHOLE_BYTES
from railbird.parsers.unpacking import plain_name
from railbird.schema.columns import TABLES
from railbird.watch import Watcher

Texts = dict[str, bytes]
Read = Callable[..., Store]


@pytest.fixture
def read(tmp_path: Path) -> Iterator[Read]:
    """Ingests files of given names and texts from a new folder, and opens the store."""
    with ExitStack() as stack:
        made = 0

        def call(texts: Texts, **options: Any) -> Store:
            nonlocal made
            made += 1
            folder = tmp_path / f"{made}"
            for name, text in texts.items():
                (folder / "logs" / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / "logs" / name).write_bytes(text)
            only = options.pop("only", None)
            ingest([folder / "logs" / only if only else folder / "logs"], folder / "store", **options)
            return stack.enter_context(open_store(folder / "store"))

        yield call


@pytest.fixture
def texts(sample_logs: Path) -> Texts:
    return {
        path.name: path.read_bytes() for kind in ("acpc", "koper") for path in (sample_logs / kind).iterdir()
    }


def one(store: Store, query: str) -> Any:
    ((value,),) = store.execute(query).fetchall()
    return value


def statuses(store: Store) -> dict[str, tuple[str, str | None, int]]:
    query = "select parse_filename(path), status, reason, hands_stored from files"
    return {name: (status, reason, hands) for name, status, reason, hands in store.execute(query).fetchall()}


def hands(store: Store) -> list[Any]:
    return store.execute("select hand_index, hand_no, line, verdict from hands order by all").fetchall()


# The error log of the ACPC's dealer


def test_an_error_log_tells_the_faults_and_what_the_dealer_did_instead(read: Read, texts: Texts) -> None:
    alone = read({"faults.log": texts["faults.log"]})
    both = read({name: texts[name] for name in ("faults.log", "faults.err")})
    assert statuses(both) == {
        "faults.log": ("ok", None, 30),
        "faults.err": ("sidecar", "error log of the ACPC dealer", 0),
    }
    assert hands(both) == hands(alone)
    assert one(alone, "select count(*) from faults") == 0
    complaints = [
        line for line in texts["faults.err"].decode().splitlines() if line.startswith(("WARNING", "ERROR"))
    ]
    told = both.sql(
        "select text, parse_filename(path), line from faults join files using (file_id) order by line"
    )
    lines = texts["faults.err"].decode().splitlines()
    found = told.fetchall()
    assert [text for text, _, _ in found] == complaints
    assert all(name == "faults.err" and lines[line - 1] == text for text, name, line in found)
    substitutes = "select count(*) from actions where origin = 'substitute'"
    assert one(alone, substitutes) == 0
    # A raise that is corrected in size is the player's own.
    assert one(both, substitutes) == sum("changed to call" in line for line in complaints) > 0


def test_an_error_log_of_a_match_that_broke_off_tells_who_was_gone(read: Read, texts: Texts) -> None:
    both = read({name: texts[name] for name in ("crashed.log", "crashed.err")})
    kinds = [kind for (kind,) in both.execute("select kind from faults").fetchall()]
    assert "disconnected" in kinds
    assert not one(both, "select complete from matches")


def packed(name: str, text: bytes) -> bytes:
    """A text as it lies in a file of that name."""
    ways: dict[str, Callable[[bytes], bytes]] = {
        ".gz": gzip.compress,
        ".zst": zstandard.compress,
        ".bz2": bz2.compress,
        ".xz": lzma.compress,
    }
    return ways.get(Path(name).suffix, bytes)(text)


@pytest.mark.parametrize("only", [False, True])
@pytest.mark.parametrize(
    ("log", "errors"),
    [
        ("faults.log", "faults.err.gz"),
        ("faults.log.xz", "faults.err"),
        ("faults.log.zst", "faults.err.bz2"),
        ("faults.log.bz2", "faults.err.xz"),
    ],
)
def test_an_error_log_belongs_to_its_log_however_they_are_packed(
    read: Read, texts: Texts, log: str, errors: str, only: bool
) -> None:
    plain = read({name: texts[name] for name in ("faults.log", "faults.err")})
    given = {name: packed(name, texts[plain_name(name)]) for name in (log, errors)}
    count = "select count(*) from faults"
    assert one(read(given, only=log if only else None), count) == one(plain, count) > 0


def test_a_folder_that_may_not_be_listed_costs_the_sidecars_alone(
    read: Read, texts: Texts, monkeypatch: pytest.MonkeyPatch
) -> None:
    listed = Path.iterdir

    def refuse(folder: Path) -> Iterator[Path]:
        if folder.name == "logs":
            raise PermissionError(errno.EACCES, "Permission denied")
        return listed(folder)

    with monkeypatch.context() as changed:
        changed.setattr(Path, "iterdir", refuse)
        store = read({name: texts[name] for name in ("faults.log", "faults.err")}, only="faults.log")
    assert statuses(store) == {"faults.log": ("ok", None, 30)}
    assert one(store, "select count(*) from faults") == 0


@pytest.mark.parametrize("kind", ["sidecar", "rejected"])
@pytest.mark.parametrize("ending", ["", ".gz"])
def test_every_line_of_a_large_file_without_hands_is_counted(
    read: Read, texts: Texts, kind: str, ending: str
) -> None:
    text = texts["faults.err"] if kind == "sidecar" else b"# notes\n"
    large = text + b"no more of it than this\n" * (WHOLE_BYTES // 20) + b"and no line end"
    name = f"faults.err{ending}"
    store = read({"faults.log": texts["faults.log"], name: packed(name, large) if ending else large})
    assert statuses(store)[name][0] == kind
    query = f"select lines_seen from files where parse_filename(path) = '{name}'"
    assert one(store, query) == large.count(b"\n") + 1


def test_an_error_log_that_lies_there_twice_is_told_once(read: Read, texts: Texts) -> None:
    given = {name: texts[name] for name in ("faults.log", "faults.err")}
    plain = read(given)
    both = read(given | {"faults.err.gz": packed("faults.err.gz", texts["faults.err"])})
    assert one(both, "select count(*) from faults") == one(plain, "select count(*) from faults")


def test_sidecars_that_cannot_be_decoded_cost_no_hand(texts: Texts, tmp_path: Path) -> None:
    (tmp_path / "faults.log").write_bytes(texts["faults.log"])
    broken = [tmp_path / name for name in ("faults.err.xz", "x.game.xz")]
    for path in broken:
        path.write_bytes(b"no archive\0")
    summary = ingest([tmp_path / "faults.log"], tmp_path / "store")
    assert [account.hands_stored for account in summary.files] == [30]
    reason = "not readable (Input format not supported by decoder)"
    assert sorted(summary.complaints) == [f"{path}: line 1: {reason}" for path in broken]


@pytest.mark.parametrize("name", ["other.err", "elsewhere/faults.err"])
def test_an_error_log_of_another_name_or_folder_says_nothing_of_a_log(
    read: Read, texts: Texts, name: str
) -> None:
    both = read({"faults.log": texts["faults.log"], name: texts["faults.err"]})
    assert statuses(both)[name.rpartition("/")[2]][0] == "sidecar"
    assert one(both, "select count(*) from faults") == 0


def test_an_error_log_of_another_run_says_nothing_of_a_log(read: Read, texts: Texts) -> None:
    header, _, rest = texts["faults.err"].partition(b"\n")
    other = header.rsplit(b" ", 1)[0] + b" 8\n" + rest
    assert header.endswith(b" 9")
    both = read({"faults.log": texts["faults.log"], "faults.err": other})
    assert one(both, "select count(*) from faults") == 0


# A game's definition


def test_a_definition_beside_a_log_gives_its_rules(read: Read, texts: Texts) -> None:
    definition = "unequal.nolimit.4p.game"
    alone = read({"side-pots.log": texts["side-pots.log"]})
    assert alone.execute("select distinct verdict from hands").fetchall() == [("unverified",)]
    assert alone.execute("select distinct rule from findings").fetchall() == [("unknown-game",)]
    assert one(alone, "select count(*) from seats where contribution is not null") == 0
    both = read({name: texts[name] for name in ("side-pots.log", definition)})
    assert statuses(both)[definition] == ("sidecar", "game definition of the ACPC dealer", 0)
    assert both.execute("select distinct verdict from hands").fetchall() == [("ok",)]
    stacks = parse_definition(texts[definition].decode(), "unequal.nolimit.4p").stacks
    assert one(both, "select starting_stacks from matches") == list(stacks)
    assert one(both, "select game from matches") == one(alone, "select game from matches")
    assert hands(both) == [(*row[:3], "ok") for row in hands(alone)]


def test_a_definition_is_found_beside_a_log_that_is_named_alone(read: Read, texts: Texts) -> None:
    given = {name: texts[name] for name in ("side-pots.log", "unequal.nolimit.4p.game")}
    store = read(given, only="side-pots.log")
    assert store.execute("select distinct verdict from hands").fetchall() == [("ok",)]
    assert list(statuses(store)) == ["side-pots.log"]


def test_a_definition_that_the_user_names_is_as_good(read: Read, texts: Texts, sample_logs: Path) -> None:
    named = sample_logs / "acpc" / "unequal.nolimit.4p.game"
    store = read({"side-pots.log": texts["side-pots.log"]}, game_definition=named)
    assert store.execute("select distinct verdict from hands").fetchall() == [("ok",)]


# The console of a Koper tournament


def finals(store: Store) -> list[Any]:
    return [row[0] for row in store.execute("select logged_final from matches order by match_no").fetchall()]


@pytest.mark.parametrize("name", ["v2-mixed", "v2-one-class"])
def test_a_console_tells_the_final_stacks_of_the_matches_that_ended(
    read: Read, texts: Texts, name: str
) -> None:
    log, console = f"{name}.all_games.txt", f"{name}.stdout.txt"
    alone, both = read({log: texts[log]}), read({log: texts[log], console: texts[console]})
    assert statuses(both)[console] == ("sidecar", "the console output of a Koper tournament", 0)
    assert hands(both) == hands(alone)
    ended = [row[0] for row in both.execute("select complete from matches order by match_no").fetchall()]
    assert any(ended)
    assert finals(alone) == [None] * len(ended)
    for place, (final, complete) in enumerate(zip(finals(both), ended, strict=True)):
        # Matches that the log does not show to the end may go on.
        assert (final is not None) == complete
        if final:
            summary = texts[console].decode().split("--- MATCH ")[place + 1]
            assert all(f" {stack:.2f} " in summary for stack in final)
    assert "violation" not in {row[3] for row in hands(both)}


def test_a_console_belongs_to_its_log_however_they_are_packed(read: Read, texts: Texts) -> None:
    names = ("v2-mixed.all_games.txt.xz", "v2-mixed.stdout.txt.bz2")
    both = read({name: packed(name, texts[plain_name(name)]) for name in names}, only=names[0])
    assert any(finals(both))


def test_a_console_that_says_otherwise_than_the_log_is_a_violation(read: Read, texts: Texts) -> None:
    log, console = "v2-mixed.all_games.txt", "v2-mixed.stdout.txt"
    whole = read({log: texts[log], console: texts[console]})
    place, final = next((k, final) for k, final in enumerate(finals(whole)) if final)
    parts = texts[console].split(b"--- MATCH ")
    stack = b" %.2f " % max(final)
    assert stack in parts[place + 1]
    parts[place + 1] = parts[place + 1].replace(stack, b" %.2f " % (max(final) + 1), 1)
    edited = read({log: texts[log], console: b"--- MATCH ".join(parts)})
    found = edited.sql(
        "select rule, match_no from findings join matches using (match_id) where verdict = 'violation'"
    )
    assert found.fetchall() == [("final", place + 1)]


def test_a_console_of_another_name_says_nothing_of_a_log(read: Read, texts: Texts) -> None:
    both = read(
        {"a.all_games.txt": texts["v2-mixed.all_games.txt"], "b.stdout.txt": texts["v2-mixed.stdout.txt"]}
    )
    assert set(finals(both)) == {None}


def test_sidecars_alone_are_told_and_hold_nothing(read: Read, texts: Texts) -> None:
    store = read(
        {name: text for name, text in texts.items() if name.endswith((".err", ".game", ".stdout.txt"))}
    )
    assert {status for status, _, _ in statuses(store).values()} == {"sidecar"}
    assert one(store, "select count(*) from hands") == 0


# What comes after its log


def _rows(store: Path) -> dict[str, list[str]]:
    """All that a store says of matches, and of the lines and hands left out."""
    tables = [name for name in TABLES if name not in ("files", "equities")]
    with open_store(store) as opened:
        found = {name: opened.execute(f"select * from stored.{name}").fetchall() for name in tables}
        told = "select path, status, reason, hands_stored, hands_rejected, lines_unknown from files"
        found["files"] = opened.execute(told).fetchall()
    return {name: sorted(map(repr, rows)) for name, rows in found.items()}


PAIRS = [
    ("v2-mixed.all_games.txt", "v2-mixed.stdout.txt"),
    ("faults.log", "faults.err"),
    ("side-pots.log", "unequal.nolimit.4p.game"),
]


@pytest.mark.parametrize("watched", [False, True])
@pytest.mark.parametrize(("log", "sidecar"), PAIRS)
def test_a_log_is_read_anew_when_a_file_comes_that_informs_it(
    log: str, sidecar: str, watched: bool, texts: Texts, tmp_path: Path
) -> None:
    folder, store = tmp_path / "logs", tmp_path / "store"
    folder.mkdir()
    other = "v1-mixed.txt"
    watcher = Watcher(folder, store)

    def read() -> Any:
        return watcher.look(print) if watched else ingest([folder], store)

    for name, text in ((other, texts[other]), (log, texts[log] + b"\nnot a line\n")):
        (folder / name).write_bytes(text)
    old = time.time() - 3600
    for path in folder.iterdir():
        os.utime(path, (old, old))
    read()
    (folder / sidecar).write_bytes(texts[sidecar])
    os.utime(folder / sidecar, (old, old))
    summary = read()
    assert not summary.replaced
    ingest([folder], tmp_path / "whole")
    assert _rows(store) == _rows(tmp_path / "whole")
    # Once: from now on the store knows it.
    assert not ingest([folder], store).files


def test_a_log_that_grew_is_told_of_its_matches_of_before(texts: Texts, tmp_path: Path) -> None:
    folder, store = tmp_path / "logs", tmp_path / "store"
    folder.mkdir()
    log, console = PAIRS[0]
    text = texts[log]
    (folder / log).write_bytes(text[: len(text) * 2 // 3])
    ingest([folder], store)
    (folder / log).write_bytes(text)
    (folder / console).write_bytes(texts[console])
    ingest([folder], store)
    ingest([folder], tmp_path / "whole")
    with open_store(store) as grown, open_store(tmp_path / "whole") as whole:
        assert finals(grown) == finals(whole)
        assert one(grown, "select count(*) from hands") == one(whole, "select count(*) from hands")
