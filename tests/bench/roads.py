"""The roads that are timed: bytes to events, to verdicts, to a store; hands through PokerKit; cards through eval7."""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from random import Random
from time import perf_counter

import eval7
import numba
import numpy as np
from numpy.typing import NDArray

import railbird.variants.registry  # noqa: F401 - makes the games known
from bench.figures import PEAK
from railbird.parsers.chunks import examine, pieces
from railbird.parsers.dialect import Dialect, MatchText
from railbird.parsers.dialects import cut_for, dialect_named, likely
from railbird.parsers.reading import Pool, Scanned, read_events
from railbird.parsers.sources import sources
from railbird.replay.cards import CARD_TEXT
from railbird.replay.evaluator import strength_of
from railbird.replay.replaying import game_named, recognise
from railbird.replay.replaying import replay as play
from railbird.storage.filling import CHUNK_BYTES

Job = tuple[NDArray[np.uint8], list[MatchText], Dialect]


def chunks(paths: Sequence[Path]) -> Iterator[bytes]:
    """The texts of files, joined to chunks as ingest joins them."""
    parts: list[bytes] = []
    for path in paths:
        parts += path.read_bytes(), b"\n\n"
        if sum(map(len, parts)) >= CHUNK_BYTES:
            yield b"".join(parts)
            parts = []
    if parts:
        yield b"".join(parts)


def _scanned(paths: Sequence[Path], pool: Pool) -> Iterator[tuple[Scanned, list[MatchText], Dialect]]:
    for text in chunks(paths):
        found = cut_for(text)
        assert found is not None
        groups: dict[str, tuple[Dialect, list[MatchText]]] = {}
        for match in found[1]:
            dialect = likely(text, match.start, match.end, match.names, match.engine)[0]
            groups.setdefault(dialect.name, (dialect, []))[1].append(match)
        for dialect, matches in groups.values():
            yield read_events(np.frombuffer(text, np.uint8), matches, dialect.grammar, pool), matches, dialect


def scan_only(paths: Sequence[Path]) -> int:
    """Scan logs to events; returns the number of events."""
    return sum(int(scanned.first_event[-1]) for scanned, _, _ in _scanned(paths, Pool()))


def verify_only(paths: Sequence[Path]) -> int:
    """Scan and replay logs; returns the number of hands."""
    pool = Pool()
    hands = 0
    for scanned, matches, dialect in _scanned(paths, pool):
        replayed = play(scanned, matches, game_named(dialect.game), pool)
        hands += sum(replayed.outcome(place).hands for place in range(len(matches)))
    return hands


def _joined(paths: Sequence[Path]) -> Iterator[tuple[bytes, list[MatchText]]]:
    """The texts and matches of files that are cut one by one, as ingest cuts and joins them."""
    parts: list[bytes] = []
    matches: list[MatchText] = []
    size = 0
    for source in sources(paths, print):
        for piece in pieces(source, examine(source)):
            matches += [
                replace(m, start=size + m.start, body=size + m.body, end=size + m.end) for m in piece.matches
            ]
            parts.append(piece.text)
            size += len(piece.text)
            if size >= CHUNK_BYTES:
                yield b"".join(parts), matches
                parts, matches, size = [], [], 0
    if parts:
        yield b"".join(parts), matches


def verify_each(paths: Sequence[Path]) -> int:
    """The same for dialects whose logs are cut file by file; returns the number of hands."""
    pool = Pool()
    hands = 0
    for text, found in _joined(paths):
        groups: dict[str, list[MatchText]] = {}
        for match in found:
            among = likely(text, match.start, match.end, match.names, match.engine)
            known = len(among) == 1 or not match.names
            groups.setdefault((among[0] if known else recognise(text, match, among, pool)).name, []).append(
                match
            )
        for name, matches in groups.items():
            dialect = dialect_named(name)
            scanned = read_events(np.frombuffer(text, np.uint8), matches, dialect.grammar, pool)
            replayed = play(scanned, matches, game_named(dialect.game), pool)
            hands += sum(replayed.outcome(place).hands for place in range(len(matches)))
    return hands


def replay_only(paths: Sequence[Path], repeats: int) -> tuple[int, float]:
    """Replay logs already scanned, several times; returns hands and seconds."""
    pool = Pool()
    hands, seconds = 0, 0.0
    for scanned, matches, dialect in _scanned(paths, pool):
        game = game_named(dialect.game)
        before = perf_counter()
        for _ in range(repeats):
            replayed = play(scanned, matches, game, pool)
            hands += sum(replayed.outcome(place).hands for place in range(len(matches)))
        seconds += perf_counter() - before
    return hands, seconds


@numba.njit(nogil=True)  # rows are slices, which railbird's own kernels do without
def strengths(cards: NDArray[np.int8], out: NDArray[np.int64]) -> None:
    """The strength of each row of cards."""
    for row in range(len(cards)):
        out[row] = strength_of(cards[row], 7)


def seven_cards(count: int) -> NDArray[np.int8]:
    """(count, 7) int8: random hands of seven different cards."""
    rng = np.random.default_rng(7)
    return rng.permuted(np.tile(np.arange(52, dtype=np.int8), (count, 1)), axis=1)[:, :7].copy()


def eval7_hands(cards: NDArray[np.int8]) -> list[list[eval7.Card]]:
    """The same hands as eval7's own cards."""
    deck = [eval7.Card(text) for text in CARD_TEXT]
    return [[deck[code] for code in row] for row in cards.tolist()]


def peak_of_command(words: Sequence[str]) -> float:
    """Peak resident memory in MB of a `railbird` command in a process of its own; it may end as if it found things."""
    work = "from railbird.cli import app; app(sys.argv[1:], standalone_mode=False)"
    command = [sys.executable, "-c", f"import sys; {work}; print(); print({PEAK})", *words]
    return float(subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()[-1])


def shuffled(paths: Sequence[Path], count: int) -> list[Path]:
    """Some of the paths, drawn once for all."""
    return Random(1).sample(list(paths), min(count, len(paths)))
