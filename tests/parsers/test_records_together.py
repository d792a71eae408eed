"""Matches of a file a hand: which files they are, and that each file is read once."""

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import IO

import pytest

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.parsers.chunks import WHOLE_BYTES, Opened, examine
from railbird.parsers.records_together import Together
from railbird.parsers.sources import Source, sources

MB = 1 << 20


def hand(number: int, fill: int = 0) -> bytes:
    """A hand of live-poker-bench that ends before the flop, with so many blanks behind it."""
    said = {
        "hand_number": number,
        "button_seat": 1,
        "blinds": {"small": 50, "big": 100},
        "players": [{"seat": seat, "name": f"bot{seat}", "stack_start": 10_000} for seat in (1, 2)],
        "hole_cards": {"1": ["Ah", "Kd"], "2": ["2c", "7s"]},
        "community_cards": [],
        "actions": [{"street": "preflop", "seat": 1, "action": "fold", "amount": 0, "thinking_time_ms": 5}],
        "pots_awarded": {"2": 150},
        "showdown": {},
    }
    return json.dumps(said).encode() + b" " * fill


def written(folder: Path, count: int, fill: int = 0) -> list[Source]:
    """A tournament of so many hands, in files whose order by name is not that of the hands."""
    folder.mkdir()
    for number in range(1, count + 1):
        (folder / f"hand_{count - number:03}.json").write_bytes(hand(number, fill))
    return list(sources([folder], pytest.fail))


def counted(given: list[Source], opened: Counter[str]) -> list[Source]:
    """Sources that count how often each is opened."""

    def opener(path: str, before: Callable[[], IO[bytes]]) -> Callable[[], IO[bytes]]:
        def count() -> IO[bytes]:
            opened[path] += 1
            return before()

        return count

    return [replace(one, open=opener(one.path, one.open), name="") for one in given]


def test_each_file_of_a_folder_is_read_once(tmp_path: Path) -> None:
    times, kept = Counter[str](), dict[str, Opened]()
    given = counted(written(tmp_path / "cup", 5), times)
    together = Together(given, lambda _: False, kept)
    for source in given:
        opened = kept.pop(source.path, None) or examine(source)
        members = together.members(source, opened)
        assert [one.path for one in members] == [one.path for one in reversed(given)]
    assert times == Counter({source.path: 1 for source in given})
    assert not kept


def test_of_many_bytes_only_some_are_kept(tmp_path: Path) -> None:
    kept = dict[str, Opened]()
    given = written(tmp_path / "cup", 8, WHOLE_BYTES - MB)
    first, *others = given
    assert len(Together(given, lambda _: False, kept).members(first, examine(first))) == len(given)
    assert first.path not in kept
    assert 0 < len(kept) < len(others)
    assert sum(len(opened.head) for opened in kept.values()) <= 16 * MB


def test_files_that_the_store_has_are_in_no_match(tmp_path: Path) -> None:
    given = written(tmp_path / "cup", 3)
    known = examine(given[0]).file_id
    together = Together(given, lambda file_id: file_id == known, {})
    assert together.members(given[0], examine(given[0])) == ()
    assert together.members(given[1], examine(given[1])) == (given[2], given[1])


def test_a_file_alone_in_its_folder_is_no_match_of_several(tmp_path: Path) -> None:
    (source,) = written(tmp_path / "cup", 1)
    kept = dict[str, Opened]()
    assert Together([source], lambda _: False, kept).members(source, examine(source)) == ()
    assert not kept


def test_the_order_in_which_files_are_given_changes_nothing(tmp_path: Path) -> None:
    written(tmp_path / "cup", 4)
    paths = sorted((tmp_path / "cup").iterdir())
    one = ingest(paths, tmp_path / "one", workers=1)
    other = ingest(paths[::-1], tmp_path / "other", workers=1)
    assert [account.hands_stored for account in one.files] == [0, 0, 0, 4]
    assert [account.status for account in one.files] == ["sidecar", "sidecar", "sidecar", "ok"]
    assert [account.row() for account in one.files] == [account.row() for account in reversed(other.files)]


def test_a_file_that_is_given_twice_and_a_copy_add_no_hand(tmp_path: Path) -> None:
    written(tmp_path / "cup", 3)
    paths = sorted((tmp_path / "cup").iterdir())
    copy = tmp_path / "cup" / "a copy.json"
    copy.write_bytes(paths[1].read_bytes())
    for number, given in enumerate(([*paths, paths[0], copy], [copy, *paths, *paths], [paths[0]] * 2)):
        summary = ingest(given, tmp_path / f"store{number}", workers=1)
        hands = 3 if len(given) > 2 else 1
        assert sum(account.hands_stored for account in summary.files) == hands
        assert len(summary.repeated) == len(given) - hands
        assert summary.unchanged == []
        with open_store(tmp_path / f"store{number}") as store:
            found = store.execute("select count(*), count(distinct hand_no) from hands").fetchall()
        assert found == [(hands, hands)]


def test_the_summary_names_the_sidecars_of_a_match_once(tmp_path: Path) -> None:
    for cup in ("one", "two"):
        for source in written(tmp_path / cup, 4):
            path = Path(source.path)
            path.write_bytes(path.read_bytes().replace(b"bot", cup.encode()))
    summary = ingest([tmp_path / "one", tmp_path / "two"], tmp_path / "store", workers=1)
    said = [line for line in summary.lines() if line.startswith("  ")]
    assert said == [
        f"  sidecar   {tmp_path / cup / 'hand_000.json'} and 2 more of its folder: "
        "a record of the match whose first file is hand_003.json"
        for cup in ("one", "two")
    ]
