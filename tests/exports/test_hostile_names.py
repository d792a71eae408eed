"""Names that mean something to a format, out and in again: equal, or changed and counted."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from support.exported import Key
from support.trips import Hand, hands_in, nearly, phh_trip

from oracles.histories import read_ohh, read_pokerstars
from railbird.analytics.store import Store, open_store
from railbird.exports.hands import CHANGED
from railbird.ingest import ingest

NAMES: Final = (
    *(
        "O'Brien",
        'say "hi"',
        "a, b",
        "a;b",
        "..",
        "../../etc/passwd",
        "C:\\temp",
        "/",
        "a|b:c#d",
        "[1]",
        "{x}",
    ),
    *("%s {0} $HOME", "</script><b>", "-", "null", "p1", "Seat 1: x (5 in chips)", "[x] folds", "'''", "\\"),
    *("日本語 🂡", "caf\u00e9", "cafe\u0301", "\u202eright to left", "n\u00a0b", "x" * 200, "ж" * 200),
    *(
        "tab\there",
        "line\nbreak",
        "bell\x07",
        "delete\x7f",
        "next\x85line",
        "\u2028",
        " padded ",
        "two  blanks",
    ),
)
ALIKE: Final = (
    *(("Ann", "ann"), ("a:b", "a|b"), ("caf\u00e9", "cafe\u0301")),
    *(("A_B", "A:B"), ("x\ty", "x y"), ("[x]", "(x)")),
)
"""Names of one match: equal but for case, for the form of an accent, or once a format has replaced characters."""
MATCHES: Final = tuple((name, "Bea") for name in NAMES) + ALIKE


def toml(text: str) -> str:
    """A basic string of TOML."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


@pytest.fixture(scope="module")
def store(few: Store, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    """A match of 20 hands for each pair of names, written as PHHS."""
    folder = tmp_path_factory.mktemp("hostile")
    few.export_hands(folder / "plain", "phhs")
    text = min((folder / "plain").glob("*.phhs"), key=lambda path: path.stat().st_size).read_text()
    hands = text.split("\n\n")[:20]
    (folder / "logs").mkdir()
    for number, names in enumerate(MATCHES):
        first = re.search(r"^players = (.*)$", hands[0], re.MULTILINE)
        assert first
        own = dict(zip(sorted(json.loads(first[1])), names, strict=True))

        def called(found: re.Match[str], own: Mapping[str, str] = own) -> str:
            return f"players = [{', '.join(toml(own[name]) for name in json.loads(found[1]))}]"

        said = "\n\n".join(re.sub(r"^players = (.*)$", called, hand, flags=re.MULTILINE) for hand in hands)
        (folder / "logs" / f"{number:02}.phhs").write_text(said + "\n", encoding="utf-8", newline="")
    ingest([folder / "logs"], folder / "store")
    with open_store(folder / "store") as opened:
        yield opened


@pytest.fixture(scope="module")
def truth(store: Store) -> dict[Key, Hand]:
    return hands_in(store)


def players(store: Store) -> list[tuple[str, ...]]:
    return sorted(tuple(sorted(row)) for (row,) in store.execute("select players from matches").fetchall())


def test_every_name_is_read_as_it_stands(store: Store) -> None:
    assert players(store) == sorted(tuple(sorted(names)) for names in MATCHES)
    assert store.execute("select count(*) from hands").fetchall() == [(20 * len(MATCHES),)]
    assert store.execute("select count(*) from hands where verdict <> 'ok'").fetchall() == [(0,)]


@pytest.mark.parametrize("form", ["phh", "phhs"])
def test_phh_brings_back_every_name(
    form: str, store: Store, truth: Mapping[Key, Hand], tmp_path: Path
) -> None:
    written = store.export_hands(tmp_path / "out", form)
    assert (written.hands, written.left_out, written.notes) == (20 * len(MATCHES), {}, {})
    trip = phh_trip(written, truth, tmp_path / "again")
    assert (trip.equal, trip.different) == (written.hands, [])
    with open_store(tmp_path / "again") as again:
        back = {p for (row,) in again.execute("select players from matches").fetchall() for p in row}
        assert back == {name for names in MATCHES for name in names}
        if form == "phhs":
            assert players(again) == players(store)
        assert again.execute("select count(*) from unknown_lines").fetchall() == [(0,)]


def test_acpc_has_names_without_its_own_marks_and_counts_them(store: Store, tmp_path: Path) -> None:
    written = store.export_hands(tmp_path / "out", "acpc")
    assert written.hands == 20 * len(MATCHES) and not written.left_out
    ingest([tmp_path / "out"], tmp_path / "again")
    with open_store(tmp_path / "again") as again:
        assert again.execute("select count(*) from hands where verdict = 'ok'").fetchall() == [
            (written.hands,)
        ]
        back = players(again)
        assert again.execute("select count(*) from unknown_lines").fetchall() == [(0,)]
    # Two players of a match are never one; a name that needs no change comes back.
    assert all(len({*names}) == 2 for names in back)
    kept = {
        name for names in MATCHES for name in names if not re.search(r"[:|#;\x00-\x1f\x7f]|  |^ | $", name)
    }
    special = {"next\x85line", "\u2028", "n\u00a0b"}
    assert kept - special <= {name for names in back for name in names}
    changed = [names for names in MATCHES if not {*names} <= {name for match in back for name in match}]
    assert written.notes[CHANGED] == 20 * len(changed) > 0


@pytest.mark.parametrize("form", ["ohh", "pokerstars"])
def test_histories_pay_the_same_under_every_name(
    form: str, store: Store, truth: Mapping[Key, Hand], tmp_path: Path
) -> None:
    written = store.export_hands(tmp_path / "out", form)
    assert written.hands == 20 * len(MATCHES) and not written.left_out
    assert written.files == len(MATCHES)
    read: Any = {"ohh": read_ohh, "pokerstars": read_pokerstars}[form]
    seen = 0
    for path in sorted(written.folder.iterdir()):
        for index, told in read(path.read_bytes().decode()):
            hand = truth[int(path.stem), index]
            told.check_winners()
            assert nearly(sorted(told.result.values()), sorted(seat[4] for seat in hand["seats"]))
            assert told.moves == [(a[0], a[2]) for a in hand["actions"]]
            seen += 1
    assert seen == written.hands
    if form == "ohh":
        assert not written.notes
        names = set()
        for path in written.folder.iterdir():
            for said in path.read_bytes().decode().removesuffix("\n\n").split("\n\n"):
                names |= {player["name"] for player in json.loads(said)["ohh"]["players"]}
        assert names == {name for pair in MATCHES for name in pair}
    else:
        assert 0 < written.notes[CHANGED] < written.hands


def test_jsonl_has_every_name_and_a_line_a_decision(store: Store, tmp_path: Path) -> None:
    written = store.export_hands(tmp_path / "out", "jsonl")
    lines = [
        json.loads(line)
        for path in written.folder.glob("*/*")
        for line in path.read_bytes().decode().removesuffix("\n").split("\n")
    ]
    assert {line["player"] for line in lines} == {name for names in MATCHES for name in names}
    choices = store.execute("select count(*) from actions where origin = 'choice'").fetchall()
    assert choices == [(len(lines),)]


@pytest.mark.parametrize("form", ["phh", "phhs", "acpc", "ohh", "pokerstars", "jsonl"])
def test_no_name_becomes_a_path(form: str, store: Store, tmp_path: Path) -> None:
    """Files are named by numbers, and lie below the folder."""
    store.export_hands(tmp_path / "deep" / "out", form)
    assert [path.name for path in tmp_path.iterdir()] == ["deep"]
    assert [path.name for path in (tmp_path / "deep").iterdir()] == ["out"]
    for path in (tmp_path / "deep" / "out").rglob("*"):
        assert re.fullmatch(r"[\w.-]+", path.name) and path.name.isascii(), path
