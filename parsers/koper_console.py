"""What Koper's v2 engine prints on the console beside `all_games.txt`: a summary of every match of a tournament.

It is a sidecar: it tells the final stacks, the wins and the starting stack of each match, and holds no hands.
"""

import os
import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from .chunks import Piece
from .grammar import number_in
from .koper import KoperMatch
from .sidecar_names import console_stem, tournament_stem
from .sources import Source, SourceError, limits_among, sources

KIND: Final = "the console output of a Koper tournament"

_HEAD_BYTES: Final = 4096
_BANNER_WORD: Final = b"TOURNAMENT START: "
_BANNER: Final = re.compile(rb"^%s\d+ MATCHES FORMAT" % _BANNER_WORD, re.MULTILINE)
_SUMMARY: Final = re.compile(rb"--- MATCH (\d+) SUMMARY ---")
_FIGURE: Final = re.compile(rb"-?[\d.]+")


class Result(NamedTuple):
    """A strategy in a match: its class, wins, final stack, profit."""

    name: bytes
    wins: float
    final: float
    profit: float


Results = dict[int, tuple[Result, ...]]
"""The results of each match of a tournament by its number from 1, in the order of the table."""


def is_console(head: bytes) -> bool:
    """True where the first bytes of a file are a tournament's console output."""
    head = head[:_HEAD_BYTES]
    return _BANNER_WORD in head and _BANNER.search(head) is not None


def read_console(text: bytes) -> Results:
    """The tables of the matches."""
    found: dict[int, list[Result]] = {}
    rows: list[Result] | None = None
    for line in text.split(b"\n"):
        if said := _SUMMARY.match(line):
            rows = found[number_in(said[1])] = []
        elif line.startswith(b"-----"):
            rows = None
        elif rows is not None:
            name, *figures = line.rsplit(None, 3) or [b""]
            if len(figures) == 3 and all(map(_FIGURE.fullmatch, figures)):
                rows.append(Result(name.strip(), *map(float, figures)))
    return {number: tuple(results) for number, results in found.items()}


def _consoles(folder: str) -> dict[str, Path]:
    """The files of a folder that a console would be called, by stem; of several of one stem the first by name."""
    # A stem begins with its log's folder as it was given: "" and "." are written differently.
    found: dict[str, Path] = {}
    try:
        names = sorted(entry.name for entry in os.scandir(folder or ".") if entry.is_file())
    except OSError:
        return found
    for name in names:
        if (stem := console_stem(f"{folder}/{name}")) is not None:
            found.setdefault(stem, Path(f"{folder}/{name}" if folder else name))
    return found


class Consoles:
    """The consoles beside the logs of an ingest: among its inputs, or on disk in a log's folder."""

    def __init__(self, given: list[Source], complain: Callable[[str], None]) -> None:
        """Look through the inputs once."""
        self._complain = complain
        self._limits = limits_among(given)
        self._given = {stem: source for source in given if (stem := console_stem(source.path)) is not None}
        self._found = cache(self._look)
        self._consoles = cache(_consoles)

    def _look(self, stem: str) -> Results:
        source = self._given.get(stem)
        if source is None:
            beside = self._consoles(stem.rpartition("/")[0]).get(stem)
            source = next(iter(sources([beside], self._complain, self._limits)), None) if beside else None
        if source is None:
            return {}
        try:
            text = source.whole()
        except SourceError as error:
            self._complain(f"{source.path}: line 1: {error}")
            return {}
        return read_console(text) if is_console(text) else {}

    def beside(self, source: Source) -> Results:
        """The results that the console beside a log tells; none where there is no console."""
        stem = tournament_stem(source.path)
        return {} if stem is None else self._found(stem)


def with_results(piece: Piece, results: Results) -> Piece:
    """A piece whose matches of a tournament know what its console says of them."""
    if not results:
        return piece
    matches = tuple(
        replace(match, results=results.get(match.number, ())) if isinstance(match, KoperMatch) else match
        for match in piece.matches
    )
    return replace(piece, matches=matches)
