"""What the benchmarks run on: logs of the corpus, or simulated ones, copied until there is enough text.

A copy differs in its header and in the numbers of its hands, or its players, so that no two matches are one and none
is part of another.
"""

import os
import re
from pathlib import Path
from typing import Final

import railbird.variants.registry  # noqa: F401 - makes the games known
from railbird.replay.simulate import simulate

GAMES = {"bounty": "bounty-2025", "holdem-mit": "holdem-mit"}
_STYLES = ("tight-passive", "loose-aggressive", "calling-station", "maniac")
COURSE: Final = b" MIT Pokerbots - "
"""What follows the number of the course in a log's first line."""
_TITLE: Final = b"# name/game/hands/seed "
_TEAMS: Final = b"# Team 0: "
_TOURNAMENT: Final = b"TOURNAMENT LOG"
_ANOTHER: Final = {COURSE: b"/%d" + COURSE, _TITLE: _TITLE + b"%d-", _TEAMS: _TEAMS + b"%d "}
"""What begins a header, as other matches have it."""
_ROUND: Final = re.compile(rb"^Round #(\d+)", re.MULTILINE)
_STATE: Final = re.compile(rb"^(STATE:.*:|SCORE:.*:)([^:\n]*)$", re.MULTILINE)
_DEALT: Final = re.compile(rb"\] dealt to (.+)$", re.MULTILINE)
_APART: Final = 10_000
"""Rounds between copies: more than a match has, and a whole number of Bounty's and of the dealer's turns."""

_ENOUGH: Final = 30 << 20


def can_be_copied(text: bytes) -> bool:
    """True for a log whose copies can be other matches."""
    return any(mark in text[:40] for mark in (*_ANOTHER, _TOURNAMENT))


def logs(game: str) -> list[bytes]:
    """The corpus's logs of a game that begin with a header; without a corpus, eight simulated matches."""
    root = os.environ.get("RAILBIRD_CORPUS")
    if root:
        found = sorted((Path(root) / GAMES[game]).rglob("*.txt"))
        return [text for text in (path.read_bytes() for path in found) if COURSE in text[:40]]
    return simulated(game)


def simulated(game: str) -> list[bytes]:
    """Eight simulated matches of 1,000 hands between Ann and Bea."""
    pairs = [(a, b) for a in _STYLES for b in _STYLES if a < b]
    return [
        simulate(game, [("Ann", first), ("Bea", second)], hands=1000, seed=seed).encode()
        for seed, (first, second) in enumerate(pairs)
    ]


def another(text: bytes, number: int) -> bytes:
    """A log as another match would be written: another header, and other hand numbers or names."""
    if number == 0:
        return text
    if _TOURNAMENT in text[:40]:
        # A bot's own figure, "Equity: 11.70%", begins as a name of the corpus.
        names = b"|".join(map(re.escape, sorted(set(_DEALT.findall(text)), key=len, reverse=True)))
        return re.sub(rb"\b(%s)\b(?!: [0-9.]+%%)" % names, lambda m: b"%s%d" % (m[1], number), text)
    mark = next(mark for mark in _ANOTHER if mark in text[:40])
    text = text.replace(mark, _ANOTHER[mark] % number, 1)
    if mark == _TEAMS:
        return text
    if mark == COURSE:
        return _ROUND.sub(lambda m: b"Round #%d" % (int(m[1]) + _APART * number), text)
    end = b"-%d" % number
    return _STATE.sub(lambda m: m[1] + m[2].replace(b"|", end + b"|") + end, text)


def copies(folder: Path, texts: list[bytes], size: int) -> list[Path]:
    """Write the texts again and again, each time as other matches, until `size` bytes are reached."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    written = number = 0
    while written < size:
        text = another(texts[number % len(texts)], number // len(texts))
        path = folder / f"{number:05}.txt"
        path.write_bytes(text)
        paths.append(path)
        written += len(text)
        number += 1
    return paths


def corpus_folders() -> list[Path]:
    """The corpus's folders that railbird reads, as tests/corpus.txt names them; none without a corpus."""
    root = os.environ.get("RAILBIRD_CORPUS")
    names = (Path(__file__).parents[1] / "corpus.txt").read_text().split() if root else []
    return [Path(root or "") / name for name in names]


def corpus() -> dict[str, list[Path]]:
    """The corpus's logs by game; nothing without a corpus."""
    root = os.environ.get("RAILBIRD_CORPUS")
    if not root:
        return {}
    folders = {
        "river-of-blood": "river-of-blood-2023",
        "blotto": "blotto-2021",
        "koper": "koper/v2",
        "acpc": "acpc/engine",
        "auction": "auction-2024",
        "toss": "toss-2026",
        "swap": "swap-2022",
        "permutation": "permutation-2020",
    }
    found = {}
    for game, folder in folders.items():
        paths = sorted(path for path in (Path(root) / folder).rglob("*") if path.suffix in (".txt", ".log"))
        found[game] = [p for p in paths if "stdout" not in p.name and ".actions." not in p.name]
    return found


def engines() -> dict[str, list[Path]]:
    """The corpus's logs of further engines, each again and again up to some 30 MB; nothing without a corpus."""
    root = os.environ.get("RAILBIRD_CORPUS")
    folders = ("iit-2026", "tacs-2026", "build4good-2025", "mit-2012-2019") if root else ()
    found = {}
    for folder in folders:
        paths = sorted((Path(root or "") / folder).rglob("*.txt"))
        size = sum(path.stat().st_size for path in paths)
        found[folder] = paths * -(-_ENOUGH // max(size, 1))
    return found


def tables() -> list[bytes]:
    """The corpus's published tables of CMU; none without a corpus."""
    root = os.environ.get("RAILBIRD_CORPUS")
    found = sorted((Path(root) / "cmu/real").glob("*.csv")) if root else []
    return [text for text in (path.read_bytes() for path in found) if text.startswith(_TEAMS)]


def acpc_duel() -> list[Path]:
    """The corpus's logs of the ACPC's heads-up no-limit round robin; none without a corpus."""
    root = os.environ.get("RAILBIRD_CORPUS")
    return sorted((Path(root) / "acpc/engine/rr_2p_nolimit").glob("*.log")) if root else []
