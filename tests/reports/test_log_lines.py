"""The lines of a log beside a hand are the log's own, or there are none."""

import gzip
import tarfile
import zipfile
from pathlib import Path
from typing import IO

import pytest
from support.pages import unpacked

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.parsers import archives, sources, unpacking
from railbird.replay.simulate import simulate
from railbird.reports.matches import all_matches, ids
from railbird.reports.pages import matches as match_pages
from railbird.reports.pages.matches import Logs

BOTS = [("Ann", "loose-aggressive"), ("Bob", "maniac")]


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [simulate("holdem-mit", BOTS, 20, seed) for seed in (1, 2)]


def lines_of(paths: list[Path], folder: Path) -> list[list[str] | None]:
    ingest(paths, folder / "store")
    with open_store(folder / "store") as store:
        matches = ids(all_matches(store))
        logs = Logs(store, matches)
        return [logs.lines(match) for match in matches]


def test_lines_are_found_in_files_and_archives(texts: list[str], tmp_path: Path) -> None:
    plain, packed, archive = tmp_path / "a.txt", tmp_path / "b.txt.gz", tmp_path / "c.zip"
    plain.write_bytes((texts[0] + "\n" + texts[1]).encode())
    packed.write_bytes(gzip.compress(simulate("holdem-mit", BOTS, 20, 3).encode()))
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("inner/d.txt", simulate("holdem-mit", BOTS, 20, 4))
    found = lines_of([plain, packed, archive], tmp_path)
    expected = [*texts, *(simulate("holdem-mit", BOTS, 20, seed) for seed in (3, 4))]
    assert sorted("\n".join(lines or ()).strip() for lines in found) == sorted(map(str.strip, expected))


def test_an_archive_is_decoded_twice_whatever_the_order_of_its_matches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To be listed, and to be read; a compressed log once."""
    texts = [simulate("holdem-mit", BOTS, 2, seed) for seed in range(16)]
    paths = [tmp_path / "x.tar.gz", tmp_path / "y.tar.gz", tmp_path / "z.txt.gz"]
    for number, path in enumerate(paths[:2]):
        with tarfile.open(path, "w:gz") as tar:
            for seed in range(6 * number, 6 * number + 6):
                (tmp_path / f"{seed}.txt").write_text(texts[seed], newline="")
                tar.add(tmp_path / f"{seed}.txt", f"{seed}.txt")
    paths[2].write_bytes(gzip.compress("\n".join(texts[12:]).encode()))
    ingest(paths, tmp_path / "store")
    opened: list[str] = []
    read = unpacking.unpacked

    def counted(path: str | Path, ending: str, ratio: int = unpacking.MAX_RATIO) -> IO[bytes]:
        opened.append(Path(path).name)
        return read(path, ending, ratio)

    for module in (archives, sources):
        monkeypatch.setattr(module, "unpacked", counted)
    with open_store(tmp_path / "store") as store:
        # An order that has nothing to do with where they lie.
        matches = sorted(ids(all_matches(store)))
        logs = Logs(store, matches)
        found = {"\n".join(logs.lines(match) or ()).strip() for match in matches}
    assert found == set(map(str.strip, texts))
    assert sorted(opened) == ["x.tar.gz"] * 2 + ["y.tar.gz"] * 2 + ["z.txt.gz"]


def test_lines_begin_where_they_begin_however_a_text_is_read(
    texts: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain, packed = tmp_path / "a.txt", tmp_path / "b.txt.gz"
    plain.write_text("\n".join(texts), newline="")
    packed.write_bytes(gzip.compress("\n".join([texts[1], simulate("holdem-mit", BOTS, 20, 5)]).encode()))
    whole = lines_of([plain, packed], tmp_path)
    assert len(whole) == 3
    assert all(whole)
    for size in (1, 7, 1000):
        monkeypatch.setattr(match_pages, "_CHUNK", size)
        with open_store(tmp_path / "store") as store:
            logs = Logs(store, matches := ids(all_matches(store)))
            assert [logs.lines(match) for match in matches] == whole


def test_a_carriage_return_inside_a_line_ends_none(texts: list[str], tmp_path: Path) -> None:
    log = tmp_path / "a.txt"
    text = texts[0].replace("\nAnn posts", "\nwhat a bot\rprints\nAnn posts", 1)
    log.write_bytes(text.encode())
    (found,) = lines_of([log], tmp_path)
    assert found == text.removesuffix("\n").split("\n")


def test_a_log_that_is_gone_or_changed_has_no_lines(texts: list[str], tmp_path: Path) -> None:
    gone, changed = tmp_path / "gone.txt", tmp_path / "changed.txt"
    for path, text in zip((gone, changed), texts, strict=True):
        path.write_text(text, newline="")
    ingest([gone, changed], tmp_path / "store")
    gone.unlink()
    changed.write_text(texts[1].replace("Bob raises", "Bob raised", 1), newline="")
    with open_store(tmp_path / "store") as store:
        matches = all_matches(store)
        logs = Logs(store, ids(matches))
        assert [logs.lines(match.match_id) for match in matches] == [None, None]
        match_pages.write_hands(store, matches, logs, tmp_path, {})
    for path in (tmp_path / "hands").rglob("*.js"):
        assert not any("text" in hand for hand in unpacked(path.read_text())["hands"])


def test_a_log_that_has_grown_keeps_its_lines(texts: list[str], tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text(texts[0], newline="")
    ingest([path], tmp_path / "store")
    path.write_text(texts[0] + "\n" + texts[1], newline="")
    with open_store(tmp_path / "store") as store:
        (match,) = ids(all_matches(store))
        lines = Logs(store, [match]).lines(match)
    assert lines is not None
    assert "\n".join(lines).strip() == texts[0].strip()


def test_a_hand_has_its_own_lines(texts: list[str], tmp_path: Path) -> None:
    path = tmp_path / "log.txt"
    path.write_text(texts[0], newline="")
    ingest([path], tmp_path / "store")
    with open_store(tmp_path / "store") as store:
        matches = all_matches(store)
        match_pages.write_hands(store, matches, Logs(store, ids(matches)), tmp_path, {})
    made = unpacked((tmp_path / "hands" / str(matches[0].match_id) / "0.js").read_text())["hands"]
    lines = texts[0].splitlines()
    assert made
    for hand in made:
        assert hand["text"][0].startswith(f"Round #{hand['no']},")
        assert hand["text"] == lines[hand["from"] - 1 : hand["from"] - 1 + len(hand["text"])]
        assert sum(line.startswith("Round #") for line in hand["text"]) == 1
