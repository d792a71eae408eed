"""What the benchmarks of records run on: the corpus's records as other players would have played them with other cards.

A copy has its suits in another order, so all hands differ and pay the same; and other names, numbers or stakes, so no
two matches are one.
"""

import json
import os
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import count, permutations
from pathlib import Path
from typing import Any, Final

_SUITS: Final = "cdhs"
_ORDERS: Final = tuple("".join(order) for order in permutations(_SUITS))
_CARDS: Final = re.compile(rb"(?<![A-Za-z0-9])(?:[2-9TJQKA][cdhs])+(?![A-Za-z0-9])")
_SUIT_FIRST: Final = re.compile(rb'"([CDHS])([2-9TJQKA])"')
_SUIT_WORD: Final = re.compile(rb'"(clubs|diamonds|hearts|spades)"')
_WORDS: Final = {b"c": b"clubs", b"d": b"diamonds", b"h": b"hearts", b"s": b"spades"}
_LETTERS: Final = {word: letter for letter, word in _WORDS.items()}
_CHIPS: Final = ("big_blind", "small_blind", "player_chips", "final_chips", "total", "value", "amount")

Edit = Callable[[bytes, int], bytes]


def in_suits(text: bytes, number: int) -> bytes:
    """A text with the suits of its cards in the order of a copy's number."""
    order = _ORDERS[number % len(_ORDERS)]
    to = bytes.maketrans(_SUITS.encode(), order.encode())
    capital = bytes.maketrans(_SUITS.upper().encode(), order.upper().encode())
    text = _CARDS.sub(lambda m: m[0].translate(to), text)
    text = _SUIT_FIRST.sub(lambda m: b'"%b%b"' % (m[1].translate(capital), m[2]), text)
    return _SUIT_WORD.sub(lambda m: b'"%b"' % _WORDS[_LETTERS[m[1]].translate(to)], text)


def _renamed(key: bytes) -> Edit:
    """An edit that gives the texts of a key, or those of its array, a copy's number."""
    place = re.compile(rb'"' + key + rb'"\s*:\s*(?:\[[^\]]*\]|"[^"]*")')
    word = re.compile(rb'(?<=[^:])"(?=\s*[,\]]|$)')
    return lambda text, number: place.sub(lambda m: word.sub(b'-%d"' % number, m[0]), text)


def _numbered(text: bytes, number: int) -> bytes:
    """Hands of a file of lines that follow those of all copies before it."""
    hands = text.count(b"\n")
    return re.sub(rb'("hand_id": )(\d+)', lambda m: m[1] + b"%d" % (int(m[2]) + hands * number), text)


_TABLE: Final = re.compile(rb"^\[\d+\]$|^hand = \d+$", re.MULTILINE)


def _tabled(text: bytes, number: int) -> bytes:
    """Hands of a PHHS that follow those of all copies before it."""
    first = count(text.count(b"\nvariant") * number + 1)
    places = (here for here in first for _ in range(2))
    return _TABLE.sub(lambda m: re.sub(rb"\d+", b"%d" % next(places), m[0]), text) + b"\n"


def _staked(text: bytes, number: int) -> bytes:
    """A hand played for other chips."""
    times = 1 + number // len(_ORDERS)

    def scaled(value: Any, key: str = "") -> Any:
        if isinstance(value, dict):
            return {own: scaled(one, key if key in _CHIPS else own) for own, one in value.items()}
        if isinstance(value, list):
            return [scaled(one, key) for one in value]
        return value * times if key in _CHIPS and isinstance(value, int) else value

    return json.dumps(scaled(json.loads(text))).encode()


ENGINES: Final[dict[str, tuple[str, Edit, int]]] = {
    "kaggle": ("json-arenas/engine/kaggle_*.json", _renamed(b"TeamNames"), 1),
    "llm-poker-arena": ("json-arenas/real/*.canonical_private.jsonl", _numbered, 0),
    "llm-poker-arena, public": ("json-arenas/real/*.public_replay.jsonl", _numbered, 0),
    "pypokerengine": ("other-engines/pypokerengine/real/*.json", _renamed(b"name"), 1),
    "live-poker-bench": ("other-engines/live-poker-bench/real/*/hand_*.json", _renamed(b"name"), 2),
    "husky": ("json-arenas/*/*usky*_*_*.json", _renamed(b"gameId"), 2),
    "phhs": ("phh/made/pluribus_*.phhs", _tabled, 0),
    "texasholdem": ("json-arenas/real/*collusion*.json", _staked, 1),
}
"""By engine: its files in the corpus, what makes a copy another match, and whether copies lie in one file (0), in files
of one folder (1) or in a folder each (2)."""


def originals(engine: str) -> list[Path]:
    """The corpus's files of an engine; none without a corpus."""
    root = os.environ.get("RAILBIRD_CORPUS")
    return sorted(Path(root).glob(ENGINES[engine][0])) if root else []


def pieces(engine: str, paths: Sequence[Path]) -> Iterator[tuple[int, Path, bytes]]:
    """Copies without end: the number of each, the file that it is of, its text."""
    edit = ENGINES[engine][1]
    texts = [(path, path.read_bytes()) for path in paths]
    orders = [[in_suits(text, number) for _, text in texts] for number in range(len(_ORDERS))]
    for number in count():
        for (path, _), text in zip(texts, orders[number % len(_ORDERS)], strict=True):
            yield number, path, edit(text, number)


def written(engine: str, folder: Path, size: int) -> list[Path]:
    """Write copies of an engine's records until there are so many bytes; the files."""
    kind = ENGINES[engine][2]
    folder.mkdir(parents=True)
    found: list[Path] = []
    done, together = 0, folder / f"all{originals(engine)[0].suffix}"
    for number, path, text in pieces(engine, originals(engine)):
        if kind == 0:
            with together.open("ab") as file:
                file.write(text)
            found = [together]
        else:
            own = folder / f"{number:05}" if kind == 2 else folder
            own.mkdir(exist_ok=True)
            found.append(own / f"{number:05}-{path.name}")
            found[-1].write_bytes(text)
        done += len(text)
        if done >= size:
            break
    return found
