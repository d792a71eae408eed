"""What ingest promises: every hand is stored or in the ledger, the same again changes nothing, nothing is lost."""

import gzip
import os
import signal
import subprocess
import sys
import tarfile
import time
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import pytest
import zstandard
from bench.material import another
from support.stores import HEADER, everything, hands_by_match, holds_together, many, rows

from railbird.ingest import ingest
from railbird.parsers import archives, sources, unpacking
from railbird.schema.columns import TABLES
from railbird.storage.manifest import StoreError, read_manifest
from railbird.storage.publishing import Summary


@pytest.fixture(scope="module")
def logs(sample_logs: Path) -> list[Path]:
    return sorted((sample_logs / "bounty").glob("*.txt"))


@pytest.fixture(scope="module")
def log(logs: list[Path]) -> bytes:
    """The longest sample log."""
    return max((path.read_bytes() for path in logs), key=len)


def test_every_hand_of_the_sample_logs_is_stored(logs: list[Path], tmp_path: Path) -> None:
    summary = ingest(logs, tmp_path / "store")
    holds_together(tmp_path / "store")
    written = sum(path.read_bytes().count(b"\nRound #") for path in logs)
    assert sum(account.hands_stored for account in summary.files) == written
    assert {account.status for account in summary.files} == {"ok"}
    assert [account.lines_seen for account in summary.files] == [
        len(path.read_bytes().split(b"\n")) for path in logs
    ]


def test_the_same_again_changes_nothing(logs: list[Path], tmp_path: Path) -> None:
    store = tmp_path / "store"
    ingest(logs, store)
    before = everything(store)
    packed = tmp_path / "again.txt.gz"
    packed.write_bytes(gzip.compress(logs[0].read_bytes()))
    summary = ingest([*logs, packed], store)
    assert summary.unchanged == [*map(str, logs)]
    assert summary.repeated == [str(packed)]
    assert everything(store) == before


def test_an_input_that_is_given_twice_is_not_said_to_be_stored_before(
    logs: list[Path], tmp_path: Path
) -> None:
    copy = tmp_path / "copy.txt"
    copy.write_bytes(logs[0].read_bytes())
    summary = ingest([logs[0], logs[0], copy], tmp_path / "store")
    assert (summary.unchanged, summary.repeated) == ([], [str(logs[0]), str(copy)])
    assert "repeated  2 inputs with the content of another" in summary.lines()
    assert not any("unchanged" in line for line in summary.lines())


def test_hands_that_are_stored_already_are_told_apart_from_those_left_out(
    logs: list[Path], tmp_path: Path
) -> None:
    """A log whose last hand is not whole, and a copy of it below a blank line."""
    text = logs[0].read_bytes()
    begun = text[: text.index(b"Round #4,") - 40]
    for name, said in (("one", begun), ("two", b"\n" + begun)):
        (tmp_path / name).write_bytes(said)
    first, second = (ingest([tmp_path / name], tmp_path / "store") for name in ("one", "two"))
    assert first.lines()[1] == "stored    2 hands of 1 match, 1 left out"
    assert first.line() == "1 file read, 2 hands stored, 1 left out"
    assert second.lines()[1] == "stored    0 hands of 0 matches, 3 left out, 2 of them stored already"
    (tmp_path / "three").write_bytes(b"\n" + text)
    (tmp_path / "four").write_bytes(b"\n\n" + text)
    whole, again = (ingest([tmp_path / name], tmp_path / "store") for name in ("three", "four"))
    hands = text.count(b"\nRound #")
    assert whole.line() == f"1 file read, {hands} hands stored, 2 of them before"
    assert again.lines()[1] == f"stored    0 hands of 0 matches, {hands} stored already"


def test_a_file_that_can_be_read_again_leaves_no_row_of_its_refusal(logs: list[Path], tmp_path: Path) -> None:
    """A broken link, and then a copy of what the store holds already."""
    link, store = tmp_path / "link.txt", tmp_path / "store"
    link.symlink_to(tmp_path / "absent.txt")
    assert ingest([link, logs[0]], store).unread == [str(link)]
    assert [row["status"] for row in rows(store, "files")] == ["rejected", "ok"]
    (tmp_path / "absent.txt").write_bytes(logs[0].read_bytes())
    assert ingest([link], store).unchanged == [str(link)]
    assert [row["status"] for row in rows(store, "files")] == ["ok"]


def packed(kind: str, text: bytes, folder: Path) -> Path:
    path = folder / f"log.txt.{kind}"
    if kind == "gz":
        path.write_bytes(gzip.compress(text))
    elif kind == "zst":
        path.write_bytes(zstandard.compress(text))
    elif kind == "zip":
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("deep/log.txt", text)
    else:
        (folder / "log.txt").write_bytes(text)
        with tarfile.open(path, "w:gz" if kind == "tar.gz" else "w") as archive:
            archive.add(folder / "log.txt", "deep/log.txt")
        if kind == "tar.zst":
            path.write_bytes(zstandard.compress(path.read_bytes()))
    return path


@pytest.mark.parametrize("kind", ["gz", "zst", "zip", "tar.gz", "tar.zst"])
def test_compressed_logs_are_the_logs(kind: str, log: bytes, tmp_path: Path) -> None:
    (tmp_path / "plain.txt").write_bytes(log)
    ingest([tmp_path / "plain.txt"], tmp_path / "a")
    ingest([packed(kind, log, tmp_path)], tmp_path / "b")
    assert hands_by_match(tmp_path / "a") == hands_by_match(tmp_path / "b")
    assert [f["file_id"] for f in rows(tmp_path / "a", "files")] == [
        f["file_id"] for f in rows(tmp_path / "b", "files")
    ]


def test_a_renamed_log_inside_another_file_is_the_same_match(logs: list[Path], tmp_path: Path) -> None:
    store = tmp_path / "store"
    ingest(logs, store)
    before = hands_by_match(store)
    merged = tmp_path / "merged.txt"
    merged.write_bytes(b"\n\n".join(path.read_bytes() for path in logs))
    ingest([merged], store)
    holds_together(store)
    assert hands_by_match(store) == before
    (file,) = [f for f in rows(store, "files") if f["path"] == str(merged)]
    assert (file["status"], file["hands_rejected"]) == ("ignored", sum(before.values()))


def test_a_match_is_the_same_whatever_is_read_after_it(log: bytes, tmp_path: Path) -> None:
    """A log cut off inside a line, and the text of the next file right behind it."""
    first, second = tmp_path / "a.txt", tmp_path / "b.txt"
    cut = log[: log.index(b"\n", log.index(b"\n\nRound #9,") - 1)]
    first.write_bytes(cut)
    second.write_bytes(another(cut, 7))
    ingest([first, second], tmp_path / "together")
    for path in (first, second):
        ingest([path], tmp_path / "apart")
    assert everything(tmp_path / "together") == everything(tmp_path / "apart")


def cuts(log: bytes) -> list[int]:
    return [len(HEADER) + 4, len(log) // 3, 2 * len(log) // 3, len(log) - 150, len(log)]


def test_a_growing_log_only_grows_the_store(log: bytes, tmp_path: Path) -> None:
    path, store = tmp_path / "growing.txt", tmp_path / "store"
    stored = []
    for cut in cuts(log):
        path.write_bytes(log[:cut])
        ingest([path], store)
        if read_manifest(store).batches:
            holds_together(store)
        stored.append(len(rows(store, "hands")))
    assert stored == sorted(stored)
    assert len(rows(store, "matches")) == 1
    ingest([path], tmp_path / "fresh")
    assert sorted(map(repr, rows(store, "hands"))) == sorted(map(repr, rows(tmp_path / "fresh", "hands")))


def test_versions_of_a_log_in_any_order_are_one_match(log: bytes, tmp_path: Path) -> None:
    for number, cut in enumerate(reversed(cuts(log))):
        (tmp_path / f"{number}.txt").write_bytes(log[:cut])
    (tmp_path / "9.txt").write_bytes(log[: len(log) // 2])
    ingest([tmp_path / f"{k}.txt" for k in (2, 9, 0, 1, 3)], tmp_path / "store")
    holds_together(tmp_path / "store")
    ingest([tmp_path / "0.txt"], tmp_path / "fresh")
    assert hands_by_match(tmp_path / "store") == hands_by_match(tmp_path / "fresh")


def test_two_runs_of_one_seed_are_two_matches(log: bytes, tmp_path: Path) -> None:
    """They share their first hands and then part: neither is a version of the other."""
    middle = log.index(b"\n\nRound #", len(log) // 2)
    other = log[:middle] + log[middle:].replace(b" checks", b" folds", 1)
    shorter = other[: other.index(b"\n\nRound #", middle + 600)]
    (tmp_path / "a.txt").write_bytes(log)
    (tmp_path / "b.txt").write_bytes(shorter)
    ingest([tmp_path / "a.txt", tmp_path / "b.txt"], tmp_path / "store")
    holds_together(tmp_path / "store")
    assert len(hands_by_match(tmp_path / "store")) == 2


def test_events_are_folders_or_as_told(log: bytes, tmp_path: Path) -> None:
    folder = tmp_path / "final-2025"
    folder.mkdir()
    (folder / "log.txt").write_bytes(log)
    ingest([folder], tmp_path / "a")
    ingest([folder], tmp_path / "b", event="scrimmage")
    assert [m["event"] for m in rows(tmp_path / "a", "matches")] == ["final-2025"]
    assert [m["event"] for m in rows(tmp_path / "b", "matches")] == ["scrimmage"]


def test_one_thread_and_two_store_the_same(logs: list[Path], tmp_path: Path) -> None:
    ingest(logs, tmp_path / "one", workers=1)
    ingest(logs, tmp_path / "two", workers=2)
    assert everything(tmp_path / "one") == everything(tmp_path / "two")


def test_logs_of_two_games_in_one_chunk_do_not_mix(sample_logs: Path, tmp_path: Path) -> None:
    """Both are replayed by one thread one after the other, in the same memory."""
    folders = [sample_logs / "bounty", sample_logs / "holdem-mit"]
    ingest(folders, tmp_path / "together", workers=1)
    apart = [everything(_stored(folder, tmp_path)) for folder in folders]
    together = everything(tmp_path / "together")
    assert together == {table: sorted(row for part in apart for row in part[table]) for table in TABLES}


def _stored(folder: Path, tmp_path: Path) -> Path:
    ingest([folder], tmp_path / folder.name, workers=1)
    return tmp_path / folder.name


def test_a_large_file_is_read_in_pieces_of_whole_matches(
    log: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = many(tmp_path / "logs", log, 30)
    whole = tmp_path / "whole.txt"
    whole.write_bytes(b"\n\n".join(path.read_bytes() for path in sorted(folder.iterdir())))
    ingest([folder], tmp_path / "a")
    monkeypatch.setattr("railbird.parsers.chunks.WHOLE_BYTES", 2 * len(log))
    monkeypatch.setattr("railbird.parsers.chunks._BLOCK", len(log) // 2)
    # `railbird.ingest` is the function: the module is found by its name.
    monkeypatch.setattr(sys.modules["railbird.ingest"], "CHUNK_BYTES", 2 * len(log))
    monkeypatch.setattr(sys.modules["railbird.ingest"], "SMALL_CHUNK", 2 * len(log))
    ingest([whole], tmp_path / "b", workers=2)
    holds_together(tmp_path / "b")
    assert hands_by_match(tmp_path / "a") == hands_by_match(tmp_path / "b")
    lines = whole.read_bytes().split(b"\n")
    numbers = {m["match_id"]: m["match_no"] for m in rows(tmp_path / "b", "matches")}
    assert sorted(numbers.values()) == list(range(1, 31))
    for hand in rows(tmp_path / "b", "hands"):
        assert lines[hand["line"] - 1].startswith(b"Round #%d," % hand["hand_no"])


@pytest.mark.parametrize("kind", ["gz", "zst", "zip", "tar.gz", "tar.zst"])
def test_a_large_compressed_log_is_decoded_once(
    kind: str, log: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """But for archives that are no zip, which are decoded once before: to be listed."""
    whole = b"\n\n".join(path.read_bytes() for path in sorted(many(tmp_path / "logs", log, 20).iterdir()))
    monkeypatch.setattr("railbird.parsers.chunks.WHOLE_BYTES", 2 * len(log))
    monkeypatch.setattr("railbird.parsers.chunks._BLOCK", len(log) // 2)
    opened: list[Path] = []
    read = unpacking.unpacked

    def counted(path: Path, ending: str, ratio: int) -> IO[bytes]:
        opened.append(path)
        return read(path, ending, ratio)

    for module in (archives, sources):
        monkeypatch.setattr(module, "unpacked", counted)
    path = packed(kind, whole, tmp_path)
    ingest([path], tmp_path / "store")
    assert len(opened) == {"zip": 0, "tar.gz": 2, "tar.zst": 2}.get(kind, 1)
    assert len(hands_by_match(tmp_path / "store")) == 20


def test_archives_of_many_logs_are_read_in_their_order(log: bytes, tmp_path: Path) -> None:
    """Read forwards once: a member that is asked for late would make it begin again."""
    folder = many(tmp_path / "logs", log, 12)
    for name, mode in (
        ("x.tar", "w"),
        ("x.tar.gz", "w:gz"),
        ("x.tgz", "w:gz"),
        ("x.tar.bz2", "w:bz2"),
        ("x.tar.xz", "w:xz"),
    ):
        with tarfile.open(tmp_path / name, mode) as archive:  # type: ignore[call-overload]
            archive.add(folder, "logs")
        ingest([tmp_path / name], tmp_path / name.replace(".", "-"))
        assert len(hands_by_match(tmp_path / name.replace(".", "-"))) == 12
    (tmp_path / "x.tar.zst").write_bytes(zstandard.compress((tmp_path / "x.tar").read_bytes()))
    ingest([tmp_path / "x.tar.zst"], tmp_path / "zst")
    ingest([folder], tmp_path / "plain")
    assert hands_by_match(tmp_path / "zst") == hands_by_match(tmp_path / "plain")


def complaint(paths: Sequence[Path], store: Path) -> Summary:
    summary = ingest(paths, store)
    assert not store.exists()
    assert summary.nothing_read
    return summary


CR = r"its lines end in CR only; `tr '\r' '\n'` makes a log of it"
UTF_16 = "UTF-16, as `>` of Windows PowerShell writes it; `iconv -f UTF-16 -t UTF-8` makes a log of it"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (b"", "empty"),
        (b"\n\n", "empty"),
        (b"\0\x01\x02Round #1, A (0), B (0)", "binary, not a log"),
        ("\ufeffRound #1, A (0), B (0)".encode("utf-16-le"), UTF_16),
        ("\ufeffRound #1, A (0), B (0)".encode("utf-16-be"), UTF_16),
        (b"Round #1, A (0), B (0)\rA posts the blind of 1\rB posts the blind of 2\r", CR),
        (b"\r\r\r\r", "empty"),
        (b"2026-03-01 A vs B\n", "no known engine writes lines such as '2026-03-01 A vs B'"),
        (b"\x1b[31mred\n", "no known engine writes lines such as '\\x1b[31mred'"),
    ],
)
def test_what_is_no_log_is_told_in_one_line(text: bytes, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "x.txt"
    path.write_bytes(text)
    summary = complaint([path], tmp_path / "store")
    assert summary.complaints == [f"{path}: line 1: {reason}"]


@pytest.mark.parametrize("name", ["x.zip", "x.tar"])
def test_an_archive_without_a_file_is_told(name: str, log: bytes, tmp_path: Path) -> None:
    path, log_path = tmp_path / name, tmp_path / "y.txt"
    if name == "x.zip":
        zipfile.ZipFile(path, "w").close()
    else:
        tarfile.open(path, "w").close()
    log_path.write_bytes(log)
    summary = ingest([path, log_path], tmp_path / "store")
    assert summary.complaints == [f"{path}: line 1: the archive holds no files"]
    held = {file["path"]: file["status"] for file in rows(tmp_path / "store", "files")}
    assert held == {str(path): "rejected", str(log_path): "ok"}


def test_missing_paths_and_empty_folders_are_told(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    summary = complaint([tmp_path / "absent.txt", tmp_path / "empty"], tmp_path / "store")
    assert summary.complaints == [
        f"{tmp_path}/absent.txt: line 1: no such file or folder",
        f"{tmp_path}/empty: line 1: the folder holds no files",
    ]


@pytest.mark.parametrize("name", ["x.txt.gz", "x.txt.zst", "x.zip", "x.tar.gz"])
def test_a_broken_archive_is_told_and_nothing_else_lost(name: str, log: bytes, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(b"no archive\0")
    (tmp_path / "y.txt").write_bytes(log)
    summary = ingest([tmp_path / name, tmp_path / "y.txt"], tmp_path / "store")
    assert len(summary.complaints) == 1
    assert summary.complaints[0].startswith(f"{tmp_path / name}: line 1: not readable")
    holds_together(tmp_path / "store")
    assert len(rows(tmp_path / "store", "matches")) == 1


def test_a_rejected_file_among_good_ones_is_in_the_ledger_once(log: bytes, tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_bytes(log)
    (tmp_path / "notes.md").write_text("# notes\n")
    for _ in range(2):
        summary = ingest([tmp_path / "good.txt", tmp_path / "notes.md"], tmp_path / "store")
        assert len(summary.complaints) == 1
        assert not summary.nothing_read
    assert sorted(f["status"] for f in rows(tmp_path / "store", "files")) == ["ok", "rejected"]


def test_a_log_just_begun_is_partial(tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_bytes(HEADER + b"A vs B\n\nRound #1, A (0), B (0)\nA posts")
    ingest([path], tmp_path / "store")
    (file,) = rows(tmp_path / "store", "files")
    assert (file["status"], file["hands_seen"], file["hands_rejected"]) == ("partial", 1, 1)
    (unknown,) = rows(tmp_path / "store", "unknown_lines")
    assert (unknown["line"], unknown["text"]) == (3, "Round #1, A (0), B (0)")


def test_unknown_dialects_and_games_are_told(tmp_path: Path) -> None:
    with pytest.raises(
        ValueError, match="no dialect is called 'x'; there are mit, mit-cambridge, mit-bounty"
    ):
        ingest([], tmp_path / "store", dialect="x")
    with pytest.raises(ValueError, match="no game is called 'x'; there are holdem-mit, bounty"):
        ingest([], tmp_path / "store", game="x")


def test_a_folder_of_other_things_is_no_store(log: bytes, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_bytes(log)
    with pytest.raises(StoreError, match=r"is not a railbird store: it has other files but no manifest.json"):
        ingest([tmp_path / "log.txt"], tmp_path)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_an_unwritable_store_is_told(log: bytes, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_bytes(log)
    (tmp_path / "locked").mkdir(mode=0o500)
    with pytest.raises(StoreError, match=r"locked/store cannot be written: Permission denied"):
        ingest([tmp_path / "log.txt"], tmp_path / "locked" / "store")


def test_a_store_whose_path_is_a_file_is_told(log: bytes, tmp_path: Path) -> None:
    (tmp_path / "log.txt").write_bytes(log)
    with pytest.raises(StoreError, match=r"log\.txt/store cannot be (read|written): Not a directory"):
        ingest([tmp_path / "log.txt"], tmp_path / "log.txt" / "store")


INGEST = (
    "import sys; from railbird.ingest import ingest; assert not ingest(sys.argv[2:], sys.argv[1]).complaints"
)


def test_a_killed_ingest_leaves_a_store_that_can_be_completed(log: bytes, tmp_path: Path) -> None:
    folder, store = many(tmp_path / "logs", log, 120), tmp_path / "store"
    ingest([folder], tmp_path / "whole")
    killed = 0
    for delay in (0.35, 0.5, 0.65, 0.8, 1.0):
        process = subprocess.Popen([sys.executable, "-c", INGEST, str(store), str(folder)])
        time.sleep(delay)
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        if store.exists() and read_manifest(store).batches:
            holds_together(store)
    assert killed
    ingest([folder], store)
    holds_together(store)
    assert hands_by_match(store) == hands_by_match(tmp_path / "whole")
    live = {part.path(store) for batch in read_manifest(store).batches for part in batch.parts}
    assert set(store.rglob("*.parquet")) == live
    assert not list((store / "staging").iterdir())


def test_a_full_disk_leaves_a_readable_store(log: bytes, tmp_path: Path) -> None:
    """A limit on the size of files stands in for the disk's end."""
    folder, store = many(tmp_path / "logs", log, 60), tmp_path / "store"
    (tmp_path / "first.txt").write_bytes(log)
    ingest([tmp_path / "first.txt"], store)
    before = everything(store)
    script = (
        "import resource, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4000, 4000));"
        "from railbird.storage.manifest import StoreError\n"
        f"try:\n    {INGEST}\nexcept StoreError as error:\n    print(error)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(store), str(folder)], capture_output=True, text=True, check=True
    )
    assert f"{store} cannot be written: " in done.stdout
    assert len(done.stdout.splitlines()) == 1
    assert everything(store) == before
    ingest([folder], store)
    holds_together(store)
    assert len(hands_by_match(store)) == 61


def test_two_ingests_at_once_are_safe(log: bytes, tmp_path: Path) -> None:
    folder, store = many(tmp_path / "logs", log, 40), tmp_path / "store"
    both = [subprocess.Popen([sys.executable, "-c", INGEST, str(store), str(folder)]) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
    holds_together(store)
    assert len(hands_by_match(store)) == 40


@pytest.mark.corpus_files("bounty-2025/*/*.txt", "holdem-mit/*/*.txt")
def test_corpus_logs_are_stored_whole(corpus_file: Path, tmp_path: Path) -> None:
    (account,) = ingest([corpus_file], tmp_path / "store").files
    text = corpus_file.read_bytes()
    assert (account.status, account.hands_rejected) == ("ok", 0)
    assert account.hands_stored == text.count(b"\nRound #")
    assert account.lines_seen == len(text.split(b"\n"))
    holds_together(tmp_path / "store")
