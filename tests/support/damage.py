"""Damages of files of records, chosen by a seed: what happens to files that are cut, edited, joined or converted."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Final

import pytest

from railbird.analytics.store import open_store
from railbird.ingest import ingest

from .failures import no_failure

DEEP: Final = 100_000
"""Lists within lists."""
_WORDS: Final = (
    b"ten",
    b'"12"',
    b"1e999",
    b"-1",
    b"null",
    b"true",
    b"9" * 40,
    b"0.5",
    b"[]",
    b"{}",
    b"\xc3\x28",
    b"\xe2\x99\xa0",
)
FILES: Final[Mapping[str, str]] = {
    "arena": "json-arenas/real/*demo-6llm.canonical_private.jsonl",
    "arena-public": "json-arenas/real/*demo-6llm.public_replay.jsonl",
    "kaggle": "json-arenas/engine/kaggle_m08*.json",
    "husky": "json-arenas/engine/husky_e3_six_bad_5.json",
    "texasholdem": "json-arenas/real/krish*__00.json",
    "openspiel": "json-arenas/engine/openspiel_repeated_2p_reset.log",
    "openspiel-states": "json-arenas/engine/openspiel_universal_3p_states.txt",
    "pypokerengine": "other-engines/pypokerengine/real/game_00*.json",
    "live-poker-bench": "other-engines/live-poker-bench/real/tournament_007/hand_002.json",
    "huawei": "other-engines/huawei-2015/real/replay_01.txt",
    "pokernow": "people/real/pokernow_02.csv",
    "irc": "people/real/irc_199504/hdb",
    "phh": "phh/antonius-blom-2009.phh",
    "phhs": "phh/handhq/abs_excerpt.phhs",
    "cmu-2025": "cmu/engine/2025_02_faulty_random.csv",
    "cmu-2026": "cmu/engine/2026_04_showfold_maniac.csv",
    "aivat": "acpc-kin/real/aivat_01.csv",
}
"""A file of each kind of record that railbird reads, by the corpus's paths."""
MOST: Final = 1 << 17
"""Bytes of a file of lines that are damaged: hands enough."""


def sample(corpus: Path, kind: str) -> bytes:
    """The first lines of a kind's file, or the whole document."""
    path = next(corpus.glob(FILES[kind]))
    text = path.read_bytes()
    if path.suffix == ".json" or len(text) <= MOST:
        return text
    return text[: text.rfind(b"\n", 0, MOST) + 1]


def line_at(text: bytes, random: Random) -> tuple[int, int]:
    """Where a line begins and ends, its line end included."""
    at = random.randrange(len(text))
    return text.rfind(b"\n", 0, at) + 1, (text.find(b"\n", at) + 1) or len(text)


def _cut(text: bytes, random: Random) -> bytes:
    return text[: random.randrange(len(text))]


def _headless(text: bytes, random: Random) -> bytes:
    return text[random.randrange(len(text)) :]


def _twice(text: bytes, random: Random) -> bytes:
    first, last = line_at(text, random)
    return text[:last] + text[first:last] + text[last:]


def _joined(text: bytes, _: Random) -> bytes:
    return text + text


def _dropped(text: bytes, random: Random) -> bytes:
    first, last = line_at(text, random)
    return text[:first] + text[last:]


def _half_line(text: bytes, random: Random) -> bytes:
    first, last = line_at(text, random)
    at = random.randrange(first, last)
    return text[:at] + b"\n" + text[last:]


def _swapped(text: bytes, random: Random) -> bytes:
    first, last = line_at(text, random)
    at, end = line_at(text, random)
    if last > at:
        return text
    return text[:first] + text[at:end] + text[last:at] + text[first:last] + text[end:]


def _word(text: bytes, random: Random) -> bytes:
    """Something else in the place of a number."""
    digits = [k for k in range(1, len(text)) if text[k : k + 1].isdigit() and not text[k - 1 : k].isdigit()]
    if not digits:
        return text
    at = end = random.choice(digits)
    while text[end : end + 1].isdigit():
        end += 1
    return text[:at] + random.choice(_WORDS) + text[end:]


def _key(text: bytes, random: Random) -> bytes:
    """A key of JSON or TOML, or a word, that is written otherwise."""
    marks = [k for k in range(len(text)) if text[k : k + 1] in (b'"', b"=")]
    if not marks:
        return text
    at = random.choice(marks)
    return text[: at + 1] + b"x" + text[at + 1 :]


def _quote(text: bytes, random: Random) -> bytes:
    at = random.randrange(len(text))
    return text[:at] + random.choice((b'"', b'""', b"'", b",", b'","', b"\r", b"\t", b"\\")) + text[at:]


def _bytes(text: bytes, random: Random) -> bytes:
    some = bytearray(text)
    for _ in range(random.randrange(1, 9)):
        some[random.randrange(len(some))] = random.choice(
            (0, 10, 34, 44, 91, 123, 125, 255, random.randrange(256))
        )
    return bytes(some)


def _deep(text: bytes, random: Random) -> bytes:
    at = random.randrange(len(text))
    return text[:at] + b"[" * DEEP + text[at:]


def _keys(text: bytes, random: Random) -> bytes:
    """A value of JSON that is an object of very many keys; elsewhere a line of very many words."""
    first, last = line_at(text, random)
    many = ", ".join(f'"k{k}": {k}' for k in range(DEEP)).encode()
    opens = text.find(b"{", first, last)
    at = opens + 1 if opens >= 0 else first
    return text[:at] + many + (b", " if opens >= 0 else b"\n") + text[at:]


def _encoding(name: str) -> Callable[[bytes, Random], bytes]:
    return lambda text, _: text.decode("utf-8", "replace").encode(name)


def _mac(text: bytes, _: Random) -> bytes:
    return text.replace(b"\n", b"\r")


def _dos(text: bytes, _: Random) -> bytes:
    return text.replace(b"\n", b"\r\n")


LOCAL: Final[Mapping[str, Callable[[bytes, Random], bytes]]] = {
    "line twice": _twice,
    "line dropped": _dropped,
    "line cut": _half_line,
    "another word for a number": _word,
    "another key": _key,
    "quotes": _quote,
}
"""Those of one line."""
DAMAGES: Final[Mapping[str, Callable[[bytes, Random], bytes]]] = {
    **LOCAL,
    "cut": _cut,
    "without its beginning": _headless,
    "joined with itself": _joined,
    "lines swapped": _swapped,
    "bytes": _bytes,
    "deep nesting": _deep,
    "very many keys": _keys,
    "UTF-16": _encoding("utf-16"),
    "UTF-16 without a mark": _encoding("utf-16-le"),
    "UTF-32": _encoding("utf-32"),
    "Latin 1": lambda text, random: text.decode("utf-8", "replace").encode("latin-1", "replace"),
    "carriage returns": _mac,
    "DOS line ends": _dos,
}


LINES: Final = frozenset(FILES) - {
    "kaggle",
    "husky",
    "texasholdem",
    "pypokerengine",
    "live-poker-bench",
    "phh",
}
"""Kinds of whose files a line is part of one hand."""
MOST_LOST: Final = 3
"""Hands that a damaged line may cost: its own, the next one that it takes along, and that before which it ended."""
_LONGEST: Final = 400
"""Characters of a reason."""


@dataclass
class Stored:
    """What became of a file: how often each hand number is stored, and what was said."""

    hands: Counter[int] = field(default_factory=Counter)
    said: list[str] = field(default_factory=list)


def stored(corpus: Path, kind: str, text: bytes, folder: Path) -> Stored:
    """A file of a kind, read into a store of its own; fails where a message is no short line."""
    original = next(corpus.glob(FILES[kind]))
    logs = folder / "logs"
    logs.mkdir(parents=True)
    (logs / original.name).write_bytes(text)
    if kind == "irc":
        shutil.copy(original.with_name("hroster"), logs)
        shutil.copytree(original.with_name("pdb"), logs / "pdb")
    found = Stored()
    with no_failure():
        summary = ingest([logs], folder / "store", workers=1)
    found.said = [complaint.replace(str(logs), "") for complaint in summary.complaints]
    if (folder / "store").exists():
        with open_store(folder / "store") as store:
            found.hands.update(number for (number,) in store.execute("select hand_no from hands").fetchall())
            asked = "select reason from files union all select reason from unknown_lines"
            found.said += [why for (why,) in store.execute(asked).fetchall() if why]
    for said in found.said:
        assert "\n" not in said and "Traceback" not in said, said
        assert len(said) <= _LONGEST, said
    return found


def tried(corpus: Path, kind: str, damage: str, seed: str, plain: Stored, folder: Path) -> str:
    """A damage of a file of a kind: why it is not taken as it should be, "" where it is."""
    text = DAMAGES[damage](sample(corpus, kind), Random(seed))
    try:
        found = stored(corpus, kind, text, folder)
    except (Exception, pytest.fail.Exception) as error:
        return f"{type(error).__name__}: {str(error).strip()[-600:]}"
    lost = (plain.hands - found.hands).total()
    # Some undamaged files have complaints of their own.
    news = Counter(found.said) - Counter(plain.said)
    # Where the heading is damaged no row can be read.
    is_headed = text.partition(b"\n")[0] == sample(corpus, kind).partition(b"\n")[0]
    if damage in LOCAL and kind in LINES and is_headed and lost > MOST_LOST:
        return f"{lost} of {plain.hands.total()} hands are lost"
    if lost and not news and damage not in ("cut", "without its beginning", "line dropped"):
        return f"{lost} hands are lost, and nothing says so"
    return ""
