"""A match or a file on which railbird itself fails is told in the ledger, and takes no other with it."""

import gzip
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from railbird.ingest import ingest
from railbird.parsers.chunks import Piece
from railbird.replay.simulate import simulate


@pytest.mark.may_fail
def test_a_failure_costs_its_own_match_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    for name in ("Ann", "Bea", "Zed"):
        log = simulate("bounty", [(name, "random"), ("Cal", "random")], hands=7, seed=1)
        (folder / f"{name}.txt").write_text(log)
    filling = sys.modules["railbird.storage.filling"]
    replay = filling.replay

    def failing(scanned: Any, matches: Any, *rest: Any) -> Any:
        if any(b"Zed" in match.names for match in matches):
            raise IndexError("of no array")
        return replay(scanned, matches, *rest)

    monkeypatch.setattr(filling, "replay", failing)
    summary = ingest([folder], tmp_path / "store")
    ann, bea, zed = sorted(summary.files, key=lambda account: account.path)
    assert [account.hands_stored for account in (ann, bea, zed)] == [7, 7, 0]
    assert [account.status for account in (ann, bea)] == ["ok", "ok"]
    assert zed.hands_rejected == 7
    assert zed.reason == "7 hands: railbird failed on it; please report this: IndexError: of no array"
    assert zed.lines_seen == len((folder / "Zed.txt").read_text().split("\n"))


@pytest.mark.may_fail
def test_a_number_that_no_column_holds_costs_its_own_match(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _two_logs(tmp_path / "logs")
    filling = sys.modules["railbird.storage.filling"]
    identify = filling.identify

    def too_long(text: Any, match: Any, *rest: Any) -> Any:
        found = identify(text, match, *rest)
        return replace(found, text_bytes=1 << 63) if b"Bea" in match.names else found

    monkeypatch.setattr(filling, "identify", too_long)
    summary = ingest([tmp_path / "logs"], tmp_path / "store")
    first, second = sorted(summary.files, key=lambda account: account.path)
    why = f"7 hands: railbird failed on it; please report this: OverflowError: text_bytes cannot be {1 << 63}"
    assert (first.hands_stored, first.hands_rejected, first.reason) == (7, 7, why)
    assert (second.status, second.hands_stored) == ("ok", 7)


def _two_logs(folder: Path) -> list[Path]:
    """A log of two matches and one of a single match."""
    folder.mkdir()
    paths = [folder / "a.txt", folder / "b.txt"]
    texts = [
        simulate("bounty", [(name, "random"), ("Cal", "random")], hands=7, seed=1)
        for name in ("Ann", "Bea", "Zed")
    ]
    paths[0].write_text(texts[0] + texts[1])
    paths[1].write_text(texts[2])
    return paths


@pytest.mark.may_fail
def test_a_file_that_cannot_be_cut_costs_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    two, one = _two_logs(tmp_path / "logs")
    module = sys.modules["railbird.ingest"]
    pieces = module.pieces

    def failing(source: Any, opened: Any) -> Any:
        if source.path.endswith("a.txt"):
            raise IndexError("of no match")
        return pieces(source, opened)

    monkeypatch.setattr(module, "pieces", failing)
    summary = ingest([tmp_path / "logs"], tmp_path / "store")
    first, second = sorted(summary.files, key=lambda account: account.path)
    why = "railbird failed on it; please report this: IndexError: of no match"
    assert (first.status, first.reason, first.hands_stored) == ("rejected", why, 0)
    assert (second.status, second.hands_stored) == ("ok", 7)
    assert summary.complaints == [f"{two}: line 1: {why}"]
    assert not summary.nothing_read
    # A railbird that can read it does.
    monkeypatch.setattr(module, "pieces", pieces)
    again = ingest([tmp_path / "logs"], tmp_path / "store")
    assert [account.hands_stored for account in again.files] == [14]
    assert again.unchanged == [str(one)]


@pytest.mark.may_fail
def test_what_was_read_of_a_file_before_stays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    two, _ = _two_logs(tmp_path / "logs")
    module = sys.modules["railbird.ingest"]
    pieces = module.pieces

    def failing(source: Any, opened: Any) -> Any:
        for piece in pieces(source, opened):
            if len(piece.matches) == 2:
                first, second = piece.matches
                yield Piece(piece.text[: second.start], 0, 0, (first,))
                raise IndexError("of no match")
            yield piece

    monkeypatch.setattr(module, "pieces", failing)
    summary = ingest([two], tmp_path / "store")
    (account,) = summary.files
    assert (account.status, account.matches, account.hands_stored) == ("rejected", 1, 7)
    assert not summary.nothing_read
    assert "stored    7 hands of 1 match" in "\n".join(summary.lines())
    monkeypatch.setattr(module, "pieces", pieces)
    (whole,) = ingest([two], tmp_path / "store").files
    assert (whole.matches, whole.hands_stored, whole.hands_rejected) == (1, 7, 7)


@pytest.mark.may_fail
def test_want_of_memory_is_no_failure_of_a_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    log = tmp_path / "log.txt"
    log.write_text(simulate("bounty", [("Ann", "random"), ("Bea", "random")], hands=2, seed=1))

    def full(*_: Any) -> Any:
        raise MemoryError

    monkeypatch.setattr(sys.modules["railbird.storage.filling"], "replay", full)
    with pytest.raises(MemoryError):
        ingest([log], tmp_path / "store")


@pytest.mark.may_fail
@pytest.mark.parametrize("name", ["log.txt", "log.txt.gz"])
def test_a_large_log_that_railbird_fails_on_is_not_called_unreadable(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = simulate("bounty", [("Ann", "random"), ("Bea", "random")], hands=7, seed=1).encode()
    (tmp_path / name).write_bytes(gzip.compress(text) if name.endswith(".gz") else text)
    chunks = sys.modules["railbird.parsers.chunks"]
    monkeypatch.setattr(chunks, "WHOLE_BYTES", 100)
    error: Exception = KeyError("of no match")

    def failing(_: bytes, first: Any = None) -> Any:
        if first is None:
            return failing, ()
        raise error

    monkeypatch.setattr(chunks, "cut_for", failing)
    (account,) = ingest([tmp_path / name], tmp_path / "store").files
    assert account.problem == "railbird failed on it; please report this: KeyError: 'of no match'"
    error = MemoryError()
    with pytest.raises(MemoryError):
        ingest([tmp_path / name], tmp_path / "store")
