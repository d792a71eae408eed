"""Published hands (PHH) from text to full store, beside PokerKit's own reader of the format."""

import os
import re
import shutil
import warnings
from collections.abc import Sequence
from functools import partial
from itertools import islice, permutations
from pathlib import Path
from time import process_time
from typing import Final

from pokerkit import HandHistory
from support.phh import FOLDED, PLAYED

from bench.figures import Figures, alone
from railbird.ingest import ingest

_HEADER: Final = re.compile(r"^\[\d+\]\n", re.MULTILINE)
_ACTIONS: Final = re.compile(r"^actions = .*$", re.MULTILINE)
_NUMBER: Final = re.compile(r"^hand = .*\n", re.MULTILINE)
_TABLE: Final = re.compile(r"^table = '", re.MULTILINE)
_CARD: Final = re.compile(r"([2-9TJQKA])([cdhs])")
_FEW: Final = 300
"""Hands that PokerKit reads: it takes a second or two for them."""


def hands() -> list[str]:
    """The no-limit hands of the corpus, Pluribus, HandHQ and WSOP; without a corpus, two made ones."""
    given = os.environ.get("RAILBIRD_CORPUS")
    if not given:
        return [PLAYED.replace("inf", "99"), FOLDED]
    root = Path(given) / "phh"
    kept = [path for name in ("handhq", "pluribus", "wsop") for path in sorted((root / name).rglob("*.phh*"))]
    kept += sorted((root / "made").glob("pluribus_*.phhs"))
    texts = [text for path in kept for text in _HEADER.split(path.read_text()) if text.strip()]
    return [text.strip() + "\n" for text in texts if "variant = 'NT'" in text]


def copies(found: Sequence[str], count: int) -> list[str]:
    """Different hands, in turn those given: their suits are changed, their numbers, and after 24 times their tables."""
    made: list[str] = []
    suits = [dict(zip("cdhs", order, strict=True)) for order in permutations("cdhs")]
    while len(made) < count:
        turn, place = divmod(len(made), len(found))
        others = suits[turn % len(suits)]
        text = _ACTIONS.sub(partial(_changed, others), found[place])
        text = _TABLE.sub(f"table = '{turn // len(suits)}-", text)
        made.append(_NUMBER.sub("", text) + f"hand = {len(made) + 1}\n")
    return made


def _changed(suits: dict[str, str], line: re.Match[str]) -> str:
    return _CARD.sub(lambda card: card[1] + suits[card[2]], line[0])


def file_of(texts: Sequence[str]) -> str:
    """A PHHS file of some hands."""
    return "\n".join(f"[{number}]\n{text}" for number, text in enumerate(texts, 1))


def read_by_pokerkit(text: str, plays: bool) -> float:
    """Processor seconds of `HandHistory.loads_all`; plays: and of every state of every hand, as it is iterated over."""
    before = process_time()
    with warnings.catch_warnings():
        # Rooms' own fields.
        warnings.simplefilter("ignore")
        for history in HandHistory.loads_all(text):
            if plays:
                for _ in history:
                    continue
    return process_time() - before


def read_by_railbird(path: Path, target: Path, workers: int) -> float:
    """Processor seconds of an ingest to a committed store."""
    shutil.rmtree(target, ignore_errors=True)
    alone()
    before = process_time()
    ingest([path], target, workers=workers)
    return process_time() - before


def speeds(figures: Figures, folder: Path, count: int) -> None:
    """One thread and two, by turns with PokerKit, in hands a processor second."""
    made = copies(hands(), count)
    path = folder / "hands.phhs"
    path.write_text(file_of(made))
    few = file_of([*islice(made, _FEW)])
    used: dict[str, list[float]] = {"read": [], "played": [], "one": [], "two": []}
    for _ in range(3):
        used["played"].append(_FEW / read_by_pokerkit(few, True))
        used["one"].append(count / read_by_railbird(path, folder / "phh", 1))
        used["read"].append(_FEW / read_by_pokerkit(few, False))
        used["two"].append(count / read_by_railbird(path, folder / "phh", 2))
    best = {what: max(rates) for what, rates in used.items()}
    for workers, what in ((1, "one"), (2, "two")):
        figures.add(
            f"PHH, text to full store, against PokerKit's reader, hands a processor second, threads: {workers}",
            f"{best[what]:,.0f} hands/s",
            f"PokerKit reads and plays {best['played']:,.0f}, reads alone {best['read']:,.0f} hands/s",
            best[what] / best["played"],
            100,
        )
