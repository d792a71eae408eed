"""Files of records of the corpus with one thing wrong: its hand alone is lost, and one line says why."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from copy import deepcopy
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from support.commands import railbird

from railbird.analytics.store import open_store
from railbird.ingest import ingest
from railbird.parsers.chunks import Opened, examine
from railbird.parsers.dialects import records_for
from railbird.parsers.records import translated
from railbird.parsers.records_together import Together
from railbird.parsers.sources import SourceError, sources
from railbird.parsers.table_lines import Table, unreadable

TRIES: Final = 14
"""Damages of a file that are tried; `make hammer` tries many."""
DEEP: Final = "@deep@"
MANY: Final = "@many@"
INSTEAD: Final[tuple[Any, ...]] = (
    None,
    "ten",
    "",
    -1,
    0,
    1.5,
    1e300,
    10**30,
    2**47,
    True,
    [],
    {},
    [[]],
    {"a": 1},
    "\ud800",
    DEEP,
    MANY,
)
"""Values that stand in the place of others."""
LATIN: Final = b"\xff\xfe\x00{"


@dataclass
class Read:
    """Hands by the record they come from, and the records that cannot be read: number, why, how they begin."""

    hands: dict[int, list[bytes]] = field(default_factory=dict)
    unread: list[tuple[int, str, str]] = field(default_factory=list)


def read(path: Path) -> Read:
    """A file, or a folder whose files are one match."""
    given = list(sources([path], pytest.fail))
    source = given[0]
    found, kept = Read(), dict[str, Opened]()
    with closing(examine(source)) as opened:
        members = Together(given, lambda _: False, kept).members(source, opened)
        dialect = records_for(opened.head)
        assert dialect is not None
        for piece in translated(source, opened, dialect, 64 << 20, lambda _: (), members[1:], kept):
            assert piece.line_of is not None
            text = piece.take()
            numbers = piece.line_of.tolist()
            hand: list[bytes] = []
            for number, line in zip(numbers, text.split(b"\n")[:-1], strict=True):
                if (said := unreadable(line)) is not None:
                    found.unread.append((number, said.why, said.text.decode()))
                elif b"unread: " in line[:13]:
                    found.unread.append((number, line.decode(), ""))
                elif line.startswith(b"hand "):
                    hand = found.hands.setdefault(number, [])
                    hand.append(line)
                elif not line.startswith((b"table ", b"final ")):
                    hand.append(line)
    return found


def written(value: Any) -> bytes:
    """A value as JSON, whatever stands for deep nesting and for many keys as that."""
    text = json.dumps(value)
    text = text.replace(f'"{DEEP}"', "[" * 100_000 + "]" * 100_000)
    return text.replace(f'"{MANY}"', "{" + ", ".join(f'"k{k}": {k}' for k in range(100_000)) + "}").encode()


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values within a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield (*at, key)
        yield from places(one, (*at, key))


def damage(value: Any, random: Random) -> Any:
    """A copy of a value in which one key is missing, or one value is another."""
    value = deepcopy(value)
    *way, last = random.choice(list(places(value)))
    inner = value
    for key in way:
        inner = inner[key]
    if random.random() < 0.3:
        del inner[last]
    else:
        inner[last] = random.choice(INSTEAD)
    return value


def the_same_but(one: Read, other: Read, touched: Sequence[int]) -> None:
    """Fails where hands of other records differ, or more than one line is said of the record."""

    def kept(of: Read) -> dict[int, list[bytes]]:
        return {number: hand for number, hand in of.hands.items() if number not in touched}

    assert kept(other) == kept(one)
    more = [said for said in other.unread if said not in one.unread]
    assert {number for number, _, _ in more} <= set(touched)
    assert len(more) <= 1 + len(one.hands.keys() & set(touched)), more
    for number in touched[:1]:
        if number in one.hands and number not in other.hands:
            assert more, "a hand is lost, and nothing says so"


LINES: Final = ("json-arenas/real/*.canonical_private.jsonl", "json-arenas/real/*.public_replay.jsonl")


@pytest.mark.parametrize("files", LINES)
def test_a_line_of_json_that_is_damaged_costs_its_hand(files: str, corpus: Path, tmp_path: Path) -> None:
    lines = next(corpus.glob(files)).read_bytes().splitlines(keepends=True)
    path = tmp_path / "log.jsonl"

    def of(some: Sequence[bytes]) -> Read:
        path.write_bytes(b"".join(some))
        return read(path)

    plain, random = of(lines), Random(files)
    assert len(plain.hands) == len(lines)
    for _ in range(TRIES):
        k = random.randrange(1, len(lines))
        made = written(damage(json.loads(lines[k]), random)) + b"\n"
        the_same_but(plain, of([*lines[:k], made, *lines[k + 1 :]]), [k + 1])
    for k, wrong in (
        (7, lines[7][: len(lines[7]) // 2] + b"\n"),
        (8, b"[" * 1_000_000 + b"\n"),
        (9, LATIN + b"\n"),
        (10, b"hand 1 2\n"),
        (11, b"\x00" * 100 + b"\n"),
    ):
        found = of([*lines[:k], wrong, *lines[k + 1 :]])
        the_same_but(plain, found, [k + 1])
        ((number, why, text),) = found.unread
        assert number == k + 1
        assert why.startswith("no JSON record: ")
        assert wrong.decode("utf-8", "replace").split()[0].startswith(text.split()[0])
    # A hand that is written twice is there once.
    found = of([*lines[:5], lines[4], *lines[5:]])
    assert found.unread == [(6, "a hand of this number stands above", found.unread[0][2])]
    assert len(found.hands) == len(lines)
    # A file that is cut, and one in another encoding.
    found = of([*lines[:12], lines[12][:50]])
    assert list(found.hands) == list(range(1, 13))
    assert [number for number, _, _ in found.unread] == [13]
    path.write_bytes(b"".join(lines).decode().encode("utf-16"))
    assert read(path) == plain


@pytest.mark.parametrize(
    ("files", "hands_of"),
    [
        ("other-engines/pypokerengine/real/game_00*.json", lambda document: document["rounds"]),
        ("json-arenas/engine/kaggle_m08*.json", lambda document: document["info"]["stateHistory"]),
    ],
)
def test_a_damaged_hand_of_a_document_costs_itself(
    files: str, hands_of: Callable[[Any], list[Any]], corpus: Path, tmp_path: Path
) -> None:
    document = json.loads(next(corpus.glob(files)).read_bytes())
    path, random = tmp_path / "log.json", Random(files)
    path.write_text(json.dumps(document))
    plain = read(path)
    for _ in range(TRIES):
        changed = deepcopy(document)
        hands: list[Any] = hands_of(changed)
        k = random.randrange(len(hands))
        if isinstance(hands[k], str):
            state = json.loads(hands[k])
            # The last state of a hand stands in the first of the next one.
            number = state["hand_number"] + 1
            touched = [number, number - 1, number + 1]
            hands[k] = written(damage(state, random)).decode()
        else:
            touched, hands[k] = [k + 1], damage(hands[k], random)
        path.write_bytes(written(changed))
        try:
            found = read(path)
        except SourceError as error:
            # Where a value is none of JSON, the document is none.
            assert re.fullmatch(r"no JSON document of \w+: .*(hex escape|nest|recursion).*", str(error))
        else:
            the_same_but(plain, found, touched)


@pytest.mark.parametrize(
    ("files", "loose"),
    [
        ("other-engines/live-poker-bench/real/tournament_007/hand_*.json", b"left "),
        ("json-arenas/engine/husky_e1_six_mixed_*.json", b"\0"),
    ],
)
def test_a_damaged_file_of_a_match_of_many_costs_its_hand(
    files: str, loose: bytes, corpus: Path, tmp_path: Path
) -> None:
    random = Random(files)
    folder = tmp_path / "logs"
    folder.mkdir()
    found = sorted(corpus.glob(files))[:8]
    texts = [path.read_bytes() for path in found]

    def put(k: int, text: bytes) -> Read:
        for path, whole in zip(found, texts, strict=True):
            (folder / path.name).write_bytes(whole)
        (folder / found[k].name).write_bytes(text)
        return read(folder)

    def others(of: Read, k: int) -> list[list[bytes]]:
        return [
            [line for line in hand if not line.startswith(loose)]
            for hand in of.hands.values()
            if hand[0].split()[1] != number[k]
        ]

    plain = put(0, texts[0])
    number = [hand[0].split()[1] for hand in plain.hands.values()]
    assert len(number) == len(texts)
    kept = ("hand_number", "gameId", "players", "playerNames", "playerIdToUsername", "playerMoney")
    for _ in range(TRIES):
        k = random.randrange(1, len(found))
        value = json.loads(texts[k])
        head = {key: value[key] for key in value if key in kept}
        body = {key: value[key] for key in value if key not in kept}
        wrong = put(k, written(head | damage(body, random)))
        assert others(wrong, k) == others(plain, k)
        assert len(wrong.unread) <= 1
    whole = texts[2]
    cut = put(2, whole.rstrip()[:-1])
    assert others(cut, 2) == others(plain, 2)
    ((place, why, text),) = cut.unread
    assert (place, text.split()[:2]) == (3, [f"{found[2].name}:", "{"])
    assert re.fullmatch(r"no JSON document of \w+: Input data was truncated", why)


@pytest.mark.parametrize(
    "files",
    [
        "json-arenas/engine/openspiel_repeated_2p_reset.log",
        "phh/handhq/abs_excerpt.phhs",
        "phh/made/pluribus_32.phhs",
    ],
)
def test_a_damaged_line_of_text_costs_its_hand(files: str, corpus: Path, tmp_path: Path) -> None:
    lines = (corpus / files).read_bytes().splitlines(keepends=True)
    path, random = tmp_path / Path(files).name, Random(files)
    path.write_bytes(b"".join(lines))
    plain = read(path)
    numbers = sorted(plain.hands)
    told = (b"variant", b"antes", b"actions", b"starting", b"blinds", b"finishing", b"STATE")
    able = [k for k, line in enumerate(lines) if line.startswith(told) and k > 12]
    for _ in range(TRIES):
        k = random.choice(able)
        line = lines[k]
        at = random.randrange(len(line) // 3, len(line) - 2)
        # A list that is left open takes the next hand along: there the cut is at the end of the value.
        cut = line[:at] + (b"]" if b"[" in line[:at] else b"") + b"\n"
        wrong = random.choice([cut, b"\n", line[:at] + b"ten" + line[at:], LATIN + b"\n"])
        path.write_bytes(b"".join([*lines[:k], wrong, *lines[k + 1 :]]))
        own = max((number for number in numbers if number <= k + 1), default=numbers[0])
        found = read(path)
        assert {n: hand[1:] for n, hand in found.hands.items() if n != own}.keys() == {*numbers} - {own}
        assert len(found.unread) <= 1


def test_a_block_of_a_state_without_its_first_line_is_a_hand(corpus: Path, tmp_path: Path) -> None:
    text = (corpus / "json-arenas/engine/openspiel_universal_3p_states.txt").read_bytes()
    path, opens = tmp_path / "states.txt", b"BettingAbstraction: "
    path.write_bytes(text)
    plain = read(path)
    at = text.index(opens, len(text) // 2)
    path.write_bytes(text[:at] + b"x" + text[at:])
    found = read(path)
    assert [hand[0] for hand in found.hands.values()] == [hand[0] for hand in plain.hands.values()]
    assert found.unread == plain.unread == []


def test_a_line_of_a_session_with_bytes_that_are_no_text_costs_itself(corpus: Path, tmp_path: Path) -> None:
    lines = (
        (corpus / "json-arenas/engine/openspiel_repeated_2p_reset.log").read_bytes().splitlines(keepends=True)
    )
    path = tmp_path / "session.log"
    for k in (0, 5):
        assert b"|" in lines[k]
        cells = lines[k].split(b":")
        wrong = b":".join([*cells[:3], b"\xff" + cells[3], *cells[4:]])
        path.write_bytes(b"".join([*lines[:k], wrong, *lines[k + 1 :]]))
        found = read(path)
        assert (len(found.hands), [number for number, *_ in found.unread]) == (len(lines) - 1, [k + 1])


def test_bytes_that_are_no_text_are_written_as_escapes() -> None:
    table = Table((), "")
    table.add(b"board 5c T\xff".decode("utf-8", "surrogateescape"))
    assert table.text()[0] == b"board 5c T\\udcff\n"


def every(corpus: Path) -> dict[str, Path]:
    """A file of each engine of records."""
    names = {
        "arena": LINES[0],
        "arena-public": LINES[1],
        "kaggle": "json-arenas/engine/kaggle_m08*.json",
        "husky": "json-arenas/engine/husky_e3_six_bad_5.json",
        "texasholdem": "json-arenas/real/krish*__00.json",
        "pypokerengine": "other-engines/pypokerengine/real/game_00*.json",
        "live": "other-engines/live-poker-bench/real/tournament_007/hand_002.json",
    }
    return {name: next(corpus.glob(files)) for name, files in names.items()}


def test_nothing_that_stands_in_a_record_makes_railbird_fail(corpus: Path, tmp_path: Path) -> None:
    """Chips, seats and cards of any size and kind reach the replay, or are refused."""
    random = Random(1)
    folder = tmp_path / "logs"
    for name, path in every(corpus).items():
        text = path.read_bytes()
        for k in range(TRIES // 2):
            own = folder / f"{name}-{k}"
            own.mkdir(parents=True)
            if path.suffix == ".jsonl":
                values = [json.loads(line) for line in text.splitlines()[:12]]
                made = b"\n".join(written(damage(value, random)) for value in values)
            else:
                made = written(damage(damage(json.loads(text), random), random))
            (own / path.name).write_bytes(made)
    summary = ingest([folder], tmp_path / "store")
    assert summary.verdicts["ok"] > 20
    with open_store(tmp_path / "store") as store:
        said = store.execute("select reason from files union all select reason from unknown_lines").fetchall()
    assert not [why for (why,) in said if why and "railbird failed" in why]
    assert not [said for said in summary.complaints if "railbird failed" in said or "\n" in said]


def test_a_file_that_is_lost_has_a_row_and_one_line(corpus: Path, tmp_path: Path) -> None:
    """Beside others it is in the ledger; alone nothing is stored, and the exit code is 2."""
    arena, kaggle = every(corpus)["arena"], every(corpus)["kaggle"]
    logs = tmp_path / "logs"
    logs.mkdir()
    (logs / "cut.json").write_bytes(kaggle.read_bytes()[:-5000])
    (logs / "arena.jsonl").write_bytes(arena.read_bytes() + b'{"hand_id": 99, "cut')
    why = "no JSON document of kaggle: Input data was truncated"

    alone = railbird(tmp_path, "ingest", "logs/cut.json", "--store", "none")
    assert alone.returncode == 2
    assert alone.stderr.strip() == f"railbird: logs/cut.json: line 1: {why}"
    assert not (tmp_path / "none").exists()

    both = railbird(tmp_path, "ingest", "logs", "--store", "store")
    assert both.returncode == 0
    with open_store(tmp_path / "store") as store:
        rows = store.execute(
            "select path, status, reason, hands_rejected from files order by path"
        ).fetchall()
        assert rows == [
            ("logs/arena.jsonl", "partial", "1 hand: no JSON record: Input data was truncated", 1),
            ("logs/cut.json", "rejected", why, 0),
        ]
        assert store.execute("select line, text, reason from unknown_lines").fetchall() == [
            (
                len(arena.read_bytes().splitlines()) + 1,
                '{"hand_id": 99, "cut',
                "no JSON record: Input data was truncated",
            )
        ]
