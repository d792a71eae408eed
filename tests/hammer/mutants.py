"""Small logs of every engine, and the edits that are made to them: all from seeds, so that each can be made again."""

import re
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from support.damage import DAMAGES

_SAMPLES: Final = Path(__file__).resolve().parents[2] / "sample_logs"
_OF_FOLDER: Final = 6
"""Files of a folder of the corpus, at even distances."""
_SIZES: Final = (1_200, 5_000)
"""Bytes of the beginnings of a file, up to a line end: about 1 to 3 hands, and 5 to 20."""
_MIDDLE: Final = 3_000
_DOCUMENT: Final = 40_000
"""Bytes of the largest document that is taken: a part of one is none."""
_WHOLE: Final = (".json", ".phh", ".pgn", ".game")
_NUMBERS: Final = (b"-1", b"0", b"2", b"400", b"4000000000", b"9" * 30, b"9" * 5000, b"1e9", b"0.5", b"")
_LARGE: Final = ("deep nesting", "very many keys")
"""Damages that make a log a hundred times as large: one in _LARGE_SELDOM of those chosen is made."""
_LARGE_SELDOM: Final = 20


class Base(NamedTuple):
    """A log that is edited: a file's name, which may say who plays, and its text."""

    name: str
    text: bytes


def bases(corpus: str | None) -> list[Base]:
    """Beginnings and middles of the samples, and of some files of each folder of a corpus, if one is named."""
    found = [path for path in sorted(_SAMPLES.rglob("*")) if path.is_file()]
    if corpus:
        for folder in sorted(path for path in Path(corpus).rglob("*") if path.is_dir()):
            files = sorted(path for path in folder.iterdir() if path.is_file() and path.suffix != ".md")
            small = [path for path in files if path.suffix not in _WHOLE or path.stat().st_size <= _DOCUMENT]
            found += small[:: max(len(small) // _OF_FOLDER, 1)][:_OF_FOLDER]
    # A text is read once, whatever its name.
    return [*{text: Base(path.name, text) for path in found for text in _texts(path)}.values()]


def _texts(path: Path) -> list[bytes]:
    with path.open("rb") as stream:
        text = stream.read(_DOCUMENT)
    if path.suffix in _WHOLE or len(text) <= _SIZES[0]:
        return [text] if text else []
    cut = [text[: text.rfind(b"\n", 0, size) + 1] for size in _SIZES]
    begin = text.find(b"\n", len(text) // 2) + 1
    cut.append(text[begin : text.rfind(b"\n", begin, begin + _MIDDLE) + 1])
    return sorted({some for some in cut if some})


def mutated(given: Sequence[Base], seed: int) -> tuple[Base, bytes]:
    """A log and the text that one to six edits make of it; a few lines of another may stand in it."""
    random = Random(seed)
    base, other = random.choice(given), random.choice(given)
    lines = base.text.split(b"\n")
    for _ in range(random.choice((1, 1, 1, 2, 3, 6))):
        k = random.randrange(len(lines))
        lines[k : k + 1] = edited(lines, k, other.text, random) or [b""]
    text = b"\n".join(lines)
    if text and random.random() < 0.15:
        kind = random.choice(sorted(DAMAGES))
        if kind not in _LARGE or not random.randrange(_LARGE_SELDOM):
            text = DAMAGES[kind](text, random)
    return base, text


def edited(lines: list[bytes], k: int, other: bytes, random: Random) -> list[bytes]:
    """What stands in the place of a line."""
    line, another = lines[k], random.choice(lines)
    match random.randrange(10):
        case 0:
            return []
        case 1:
            return [line] * random.choice((2, 2, 2, 3, 3, 40))
        case 2:
            return [another, line]
        case 3:
            return [re.sub(rb"\d+", random.choice(_NUMBERS), line)]
        case 4:
            return [re.sub(rb"\d+", random.choice(_NUMBERS), line, count=1)]
        case 5:
            return [re.sub(rb"\[([^\]]*)\]", rb"[\1 \1]", line)]
        case 6:
            at = random.randrange(len(line) + 1)
            return [line[:at] + random.randbytes(random.choice((1, 1, 3, 400))) + line[at:]]
        case 7:
            return [line[: random.randrange(len(line) + 1)]]
        case 8:
            # The rest comes again, as in a log that a tool appended to itself.
            return [line, *lines[random.randrange(len(lines)) :][:200]]
        case _:
            strange = other.split(b"\n")
            at = random.randrange(len(strange))
            return [line, *strange[at : at + random.randrange(1, 60)]]


def first_edited_line(before: bytes, after: bytes) -> int:
    """The number of the first line, from 1, that is not the same in both."""
    low, high = 0, min(len(before), len(after))
    while low < high:
        middle = (low + high + 1) // 2
        if before[low:middle] == after[low:middle]:
            low = middle
        else:
            high = middle - 1
    return before.count(b"\n", 0, low) + 1
