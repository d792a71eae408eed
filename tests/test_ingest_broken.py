"""What cannot be read, or only in part: told in a line and in the ledger, and nothing beside it is lost."""

import bz2
import gzip
import io
import json
import lzma
import os
import shutil
import tarfile
import zipfile
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from typing import Any, Literal

import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st
from support.stores import holds_together, rows

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.parsers.unpacking import is_cut, unpacked
from railbird.replay.simulate import simulate
from railbird.storage.compacting import compact
from railbird.storage.manifest import StoreError

CUT = "the compressed file is truncated or damaged"
Packer = Callable[[bytes], bytes]


def _log(name: str, hands: int = 20) -> bytes:
    return simulate("bounty", [(name, "random"), ("Cal", "random")], hands=hands, seed=1).encode()


def _frames(text: bytes) -> bytes:
    """Two frames, one with a checksum and one without, with something to be skipped between them."""
    half = len(text) // 2
    skipped = (0x184D2A53).to_bytes(4, "little") + (5).to_bytes(4, "little") + b"notes"
    with_sum = zstandard.ZstdCompressor(write_checksum=True).compress(text[:half])
    return with_sum + skipped + zstandard.ZstdCompressor(write_content_size=False).compress(text[half:])


PACKERS: dict[str, Packer] = {
    "gz": gzip.compress,
    "zst": zstandard.compress,
    "bz2": bz2.compress,
    "xz": lzma.compress,
}


@pytest.mark.parametrize("kind", ["gz", "zst"])
def test_of_a_log_cut_short_the_hands_before_are_stored(kind: str, tmp_path: Path) -> None:
    text = b"".join(_log(f"Ann{k}") for k in range(40))
    content = PACKERS[kind](text)
    path = tmp_path / f"log.txt.{kind}"
    path.write_bytes(content[: len(content) * 3 // 4])
    (tmp_path / "other.txt").write_bytes(_log("Zed"))
    summary = ingest([tmp_path], tmp_path / "store")
    cut, other = sorted(summary.files, key=lambda account: account.path)
    assert summary.complaints == [f"{path}: line 1: {CUT}"]
    assert (cut.status, cut.reason.split(";")[0]) == ("partial", CUT)
    assert cut.hands_stored > 200
    assert (other.status, other.hands_stored) == ("ok", 20)
    # Once the whole file is there, it adds what was missing.
    path.write_bytes(content)
    ingest([tmp_path], tmp_path / "store")
    holds_together(tmp_path / "store")
    assert sum(match["hands"] for match in rows(tmp_path / "store", "matches")) == 820


@pytest.mark.parametrize("kind", PACKERS)
def test_a_compressed_log_is_read_to_its_end(kind: str, tmp_path: Path) -> None:
    (tmp_path / f"log.txt.{kind}").write_bytes(PACKERS[kind](_log("Ann", 300)))
    (account,) = ingest([tmp_path], tmp_path / "store").files
    assert (account.status, account.hands_stored) == ("ok", 300)


@pytest.mark.parametrize("kind", ["gz", "zst"])
def test_nothing_of_a_file_but_its_first_bytes(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"log.txt.{kind}"
    path.write_bytes(PACKERS[kind](_log("Ann"))[:30])
    summary = ingest([path], tmp_path / "store")
    assert summary.nothing_read
    assert summary.complaints == [f"{path}: line 1: {CUT}"]


@pytest.mark.parametrize("behind", [b"\n", b"trailing", bytes(40) + b"x"])
def test_bytes_behind_a_whole_gzip_file_are_no_part_of_it(behind: bytes, tmp_path: Path) -> None:
    (tmp_path / "log.txt.gz").write_bytes(gzip.compress(_log("Ann", 300)) + behind)
    summary = ingest([tmp_path], tmp_path / "store")
    assert summary.complaints == []
    assert [(account.status, account.hands_stored) for account in summary.files] == [("ok", 300)]


def _tar(names: Iterable[str], mode: Literal["w", "w:gz"]) -> bytes:
    made = io.BytesIO()
    with tarfile.open(fileobj=made, mode=mode) as archive:
        for name in names:
            text = _log(name, 300)
            entry = tarfile.TarInfo(f"{name}.txt")
            entry.size = len(text)
            archive.addfile(entry, io.BytesIO(text))
    return made.getvalue()


@pytest.mark.parametrize(("ending", "mode"), [("tar", "w"), ("tar.gz", "w:gz")])
def test_of_an_archive_that_is_cut_short_the_lines_before_are_read(
    ending: str, mode: Literal["w", "w:gz"], tmp_path: Path
) -> None:
    whole = _tar(("Ann", "Bea"), mode)
    (tmp_path / f"logs.{ending}").write_bytes(whole[: len(whole) * 3 // 4])
    summary = ingest([tmp_path], tmp_path / "store")
    read = {Path(account.path).name: account for account in summary.files}
    assert (read["Ann.txt"].status, read["Ann.txt"].hands_stored) == ("ok", 300)
    assert read["Bea.txt"].status == "partial" and read["Bea.txt"].reason.startswith(CUT)
    assert 100 < read["Bea.txt"].hands_stored < 300
    assert f"{tmp_path}/logs.{ending}/Bea.txt: line 1: {CUT}" in summary.complaints


def test_of_a_damaged_member_what_can_be_decoded_is_read(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "logs.zip", "w", zipfile.ZIP_STORED) as archive:
        archive.writestr("../../Ann.txt", _log("Ann", 300))
    content = bytearray((tmp_path / "logs.zip").read_bytes())
    at = content.rindex(b"awarded")
    content[at : at + 7] = b"AWARDED"
    (tmp_path / "logs.zip").write_bytes(content)
    (account,) = ingest([tmp_path], tmp_path / "store").files
    assert account.status == "partial" and account.reason.startswith(CUT)
    assert account.hands_stored >= 298
    assert [match["event"] for match in rows(tmp_path / "store", "matches")] == ["logs"]


@settings(max_examples=40)
@given(text=st.binary(max_size=300_000) | st.integers(0, 400_000).map(lambda n: b"x" * n), data=st.data())
def test_a_missing_end_is_known_in_every_way_of_packing(
    tmp_path_factory: pytest.TempPathFactory, text: bytes, data: st.DataObject
) -> None:
    kind, pack = data.draw(st.sampled_from([*PACKERS.items(), ("zst", _frames)]))
    content = pack(text)
    size = data.draw(st.integers(1, len(content)))
    path = tmp_path_factory.mktemp("packed") / f"log.{kind}"
    path.write_bytes(content[:size])
    whole = size in (_ends(content) if pack is _frames else {len(content)})
    with unpacked(path, f".{kind}") as stream:
        try:
            read = stream.read()
        except (OSError, zstandard.ZstdError):
            # Too few bytes to know the kind by.
            assert size < 4
            return
        assert text.startswith(read)
        assert read == text or size < len(content)
        assert is_cut(stream) is not whole


def _ends(content: bytes) -> set[int]:
    """Where frames end: the file is whole there, though more was to follow."""
    skipped = content.index((0x184D2A53).to_bytes(4, "little") + (5).to_bytes(4, "little") + b"notes")
    return {skipped, skipped + 13, len(content)}


@pytest.mark.parametrize("name", [b"b\xff.txt", b"caf\xe9/b.txt"])
def test_a_path_that_is_no_utf8_is_shown_with_escapes(name: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(_log("Ann"))
    odd = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
    odd.parent.mkdir(exist_ok=True)
    odd.write_bytes(_log("Bea"))
    ingest([tmp_path], tmp_path / "store")
    wanted = [f"{tmp_path}/a.txt", f"{tmp_path}/" + name.decode("utf-8", "backslashreplace")]
    assert sorted(file["path"] for file in rows(tmp_path / "store", "files")) == wanted
    assert sorted(file["status"] for file in rows(tmp_path / "store", "files")) == ["ok", "ok"]


def test_what_cannot_be_opened_is_in_the_ledger_until_it_can(tmp_path: Path) -> None:
    archive = tmp_path / "b.zip"
    archive.write_bytes(b"no archive\0")
    (tmp_path / "a.txt").write_bytes(_log("Ann"))
    (tmp_path / "gone.txt").symlink_to(tmp_path / "nowhere")
    for _ in range(2):
        summary = ingest([tmp_path], tmp_path / "store")
        assert len(summary.complaints) == 2
    held = {Path(file["path"]).name: file for file in rows(tmp_path / "store", "files")}
    assert {name: file["status"] for name, file in held.items()} == {
        "a.txt": "ok",
        "b.zip": "rejected",
        "gone.txt": "rejected",
    }
    assert held["b.zip"]["reason"] == "not readable (File is not a zip file)"
    (tmp_path / "nowhere").write_bytes(_log("Bea"))
    ingest([tmp_path], tmp_path / "store")
    states = sorted((Path(file["path"]).name, file["status"]) for file in rows(tmp_path / "store", "files"))
    assert states == [("a.txt", "ok"), ("b.zip", "rejected"), ("gone.txt", "ok")]


def test_a_pipe_in_a_folder_is_passed_by(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(_log("Ann"))
    os.mkfifo(tmp_path / "pipe")
    summary = ingest([tmp_path], tmp_path / "store")
    assert summary.complaints == [f"{tmp_path}/pipe: line 1: no file, but a pipe, socket or device"]
    assert [account.hands_stored for account in summary.files] == [20]


def test_a_link_to_itself_is_told_and_nothing_else_is_lost(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "log.txt").write_bytes(_log("Ann"))
    (folder / "a_loop").symlink_to(folder / "a_loop")
    summary = ingest([folder], tmp_path / "store")
    (complaint,) = summary.complaints
    assert complaint.startswith(f"{folder / 'a_loop'}: line 1: not readable (")
    assert sum(account.hands_stored for account in summary.files) == 20


def test_an_empty_name_is_not_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "log.txt").write_bytes(_log("Ann"))
    monkeypatch.chdir(tmp_path)
    summary = ingest([""], tmp_path / "store")
    assert (summary.files, summary.complaints) == ([], ["'': line 1: no such file or folder"])


def test_a_store_without_its_manifest_is_left_alone(tmp_path: Path) -> None:
    store = tmp_path / "store"
    log = tmp_path / "event" / "log.txt"
    log.parent.mkdir()
    log.write_bytes(_log("Ann"))
    ingest([log], store)
    manifest = (store / "manifest.json").read_bytes()
    (store / "manifest.json").unlink()
    before = sorted(path for path in store.rglob("*.parquet"))
    for ask in (lambda: ingest([log], store), lambda: compact(store), lambda: open_store(store)):
        with pytest.raises(StoreError, match=r"holds a store's tables and no manifest\.json"):
            ask()
    assert sorted(path for path in store.rglob("*.parquet")) == before
    (store / "manifest.json").write_bytes(manifest)
    holds_together(store)


@pytest.mark.parametrize(
    "broken",
    [
        {"batches": {}},
        {"batches": [{"name": "a", "parts": {}}]},
        {"batches": [{"name": "a", "parts": ["abc"]}]},
        {"batches": [{"name": ["a"], "parts": []}]},
        {"retired": {"hands/a.parquet": "yesterday"}},
        {"retired": []},
        "[" * 100_000,
        "null",
    ],
)
def test_a_broken_manifest_is_refused_and_nothing_is_removed(
    broken: str | dict[str, Any], tmp_path: Path
) -> None:
    store, log = tmp_path / "store", tmp_path / "log.txt"
    log.write_bytes(_log("Ann"))
    ingest([log], store)
    path = store / "manifest.json"
    text = json.dumps(json.loads(path.read_text()) | broken) if isinstance(broken, dict) else broken
    path.write_text(text)
    before = sorted(store.rglob("*"))
    for ask in (lambda: ingest([log], store), lambda: compact(store), lambda: open_store(store)):
        with pytest.raises(StoreError) as caught:
            ask()
        assert str(caught.value) == f"{path} is not a manifest"
    assert sorted(store.rglob("*")) == before


def test_nothing_is_left_of_a_new_store_in_which_nothing_was_stored(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("hello\n")
    ingest([tmp_path / "notes.txt"], tmp_path / "store")
    assert not (tmp_path / "store").exists()


def test_a_broken_part_is_named(tmp_path: Path) -> None:
    store = tmp_path / "store"
    for name in ("Ann", "Bea"):
        path = tmp_path / "event" / f"{name}.txt"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(_log(name))
        ingest([path], store)
    part = next((store / "matches").glob("*.parquet"))
    part.write_bytes(b"no Parquet")
    (tmp_path / "other.txt").write_bytes(_log("Cal"))
    add, merge, ask = (
        partial(ingest, [tmp_path / "other.txt"], store),
        partial(compact, store),
        partial(open_store, store),
    )
    for add_or_merge in (add, merge):
        with pytest.raises(StoreError) as caught:
            add_or_merge()
        assert str(caught.value).startswith(f"{part} is damaged: ") and "\n" not in str(caught.value)
    part.unlink()
    for act in (merge, ask):
        with pytest.raises(StoreError) as caught:
            act()
        assert str(caught.value) == f"{part} is missing, but the store's manifest names it"
    with pytest.raises(StoreError, match=r"is damaged: it is missing; .* ingest also .*(Ann|Bea)\.txt$"):
        add()
    assert ingest([tmp_path / "event"], store).repaired
    open_store(store).close()


@pytest.mark.parametrize("table", ["hands", "seats"])
def test_a_broken_part_is_named_where_a_stored_log_has_grown(table: str, tmp_path: Path) -> None:
    store, log = tmp_path / "store", tmp_path / "event" / "log.txt"
    log.parent.mkdir()
    text = _log("Ann")
    shorter = text[: text.index(b"\n\nRound #15,")]
    # A shorter version is held against the stored one hand by hand.
    for stored, then in ((shorter, text), (text, shorter)):
        log.write_bytes(stored)
        ingest([log], store)
        part = next((store / table).glob("*.parquet"))
        part.write_bytes(b"no Parquet")
        log.write_bytes(then)
        if then is text:
            # Its beginning is the log that was stored: the part is repaired.
            assert ingest([log], store).repaired
            assert len(rows(store, "hands")) == 20
        else:
            with pytest.raises(StoreError) as caught:
                ingest([log], store)
            assert str(caught.value).startswith(f"{part} cannot be read: ") and "\n" not in str(caught.value)
        shutil.rmtree(store)


def test_what_the_user_says_changes_nothing_of_what_is_stored_and_that_is_told(tmp_path: Path) -> None:
    log = tmp_path / "event" / "log.txt"
    log.parent.mkdir()
    log.write_bytes(_log("Ann"))
    ingest([log], tmp_path / "store")
    plain = ingest([log], tmp_path / "store").lines()
    assert plain[3:] == [
        "unchanged 1 file already in the store",
        "ledger    nothing new",
    ]
    told = ingest([log], tmp_path / "store", game="holdem-mit").lines()
    kept = ", kept as read before: options that say how to read logs apply only to files not stored yet"
    assert told[3] == plain[3] + kept


def test_hands_that_gave_way_to_a_longer_version_are_told(tmp_path: Path) -> None:
    text = _log("Ann")
    folder = tmp_path / "event"
    folder.mkdir()
    (folder / "a.txt").write_bytes(text[: text.index(b"\n\nRound #15,")])
    (folder / "b.txt").write_bytes(text)
    lines = ingest([folder], tmp_path / "store").lines()
    assert lines[1].startswith("stored    34 hands of 2 matches")
    assert "replaced  14 hands of 1 match by longer versions" in lines
    assert [match["hands"] for match in rows(tmp_path / "store", "matches")] == [20]
