"""The dialects of Koper: v1, one match on the console, and v2, a tournament of five matches in `all_games.txt`.

The v2 engine's console output is a sidecar of that file: a summary with the final stacks, the wins and the starting
stack of each match. It has no hands.
"""

import os
import re
from bisect import bisect
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

from .chunks import Piece
from .dialect import MatchText, Text, line_start
from .dialects import holds_hands
from .grammar import Grammar, number_in
from .marks import lines_with, places_of, within_lines
from .sidecar_names import console_stem, tournament_stem
from .sources import Source, SourceError, limits_among, sources

SEATS: Final = 5
LETTERS: Final = tuple(b"Player %c" % letter for letter in b"ABCDE")

_SHARED: Final = Grammar(
    """
    community      The community cards are: [{q}]
    too_few        Not enough players to continue match.
    out            {p} eliminated! Stack ({d}) < 100.
    said           Equity: {d}%, {p} {*}
    later_bet      Equity: {d}%, {p} bet {d} in round {n}
    heading        *** EARLY WINNER (Fold Equity) ***
    early_win      {p} wins by fold! Pot: ${d}. Payout: ${d}
    marker         <<<<<<<{*}
    marker         |||||||{*}
    marker         =======
    marker         >>>>>>>{*}
    """
)

V1: Final = Grammar(
    """
    header         --- Starting Game {n} ---
    round          --- Starting Game {n} ---
    heading        " "
    buy_in         " Round 0 starting: Buy-ins and Dealing"
    dealt          {p} is dealt: [{q}]
    flop_betting   " Round 1 starting: Flop Betting"
    turn_betting   " Round 2 starting: Turn Betting"
    river_betting  " Round 3 starting: River Betting"
    visible        Visible Community Cards for Round {n} (Flop): [{q}]
    visible        Visible Community Cards for Round {n} (Turn): [{q}]
    visible        Visible Community Cards for Round {n} (River): [{q}]
    fold           Equity: {d}%, {p}  chose to fold.
    bet            Equity: {d}%, {p}  chose to bet ${d}.
    closing_fold   " chose to fold."
    closing_bet    " chose to bet ${d}."
    nobody         No players remain in Round {n}.
    showdown       " Showdown & Pot Allocation"
    winner         Winner: {p} with Hand Score {n}
    draw_2         **DRAW!** Winners: {p}, {p} all share Hand Score {n}
    draw_3         **DRAW!** Winners: {p}, {p}, {p} all share Hand Score {n}
    draw_4         **DRAW!** Winners: {p}, {p}, {p}, {p} all share Hand Score {n}
    draw_5         **DRAW!** Winners: {p}, {p}, {p}, {p}, {p} all share Hand Score {n}
    total          Total Pot: {d}, Total Win Amount Distributed: {d}
    redistributed  Redistributing {d} ({d} each) to {n} late-round players.
    heading        Game End Stacks:
    stack          {p}: ${d}
    match_over     --- Match Over ---
    standings      Final Standings:
    heading        Total Fractional Wins per Player:
    wins           {p}: {d} wins
    heading        Note: {*}
    """,
    base=_SHARED,
)

V2: Final = Grammar(
    """
    header         TOURNAMENT LOG
    round          --- Match {n} | Game {n} ---
    heading        TOURNAMENT LOG
    heading        ====================
    buy_in         Round 0 starting: Buy-ins and Dealing
    dealt          [{q}] dealt to {p}
    flop_betting   Round 1 starting: Flop Betting
    turn_betting   Round 2 starting: Turn Betting
    river_betting  Round 3 starting: River Betting
    visible        Visible Community Cards for Round {n} (Flop): [{q}]
    fold           Equity: {d}%, {p} chose to fold.
    bet            Equity: {d}%, {p} chose to bet ${d}.
    closing_fold   chose to fold.
    closing_bet    chose to bet ${d}.
    all_folded     All players folded! Pot redistributes.
    receives       {p} receives ${d}
    showdown       *** SHOWDOWN RESULTS ***
    win_count      Total number of winners: {n}
    prize          {p} won ${d}. Winning Cap was ${d}. Pot was ${d}
    stack          {p} final stack: ${d}
    left           Distributing remaining pot ${d} among {n} active players.
    """,
    base=_SHARED,
)

NAME_V1, NAME_V2 = "koper-v1", "koper-v2"
OPENS_V1: Final = b"--- Starting Game "
OPENS_V2: Final = b"--- Match "
_ROUND_V1: Final = V1.template("round").regex
_ROUND_V2: Final = V2.template("round").regex
_BUY_INS: Final = re.compile(rb"\s*(?:Round 0 starting: |\Z)")
_OVER: Final = b"--- Match Over ---"
_DEALT: Final = re.compile(rb"\['(?:10|.).', '(?:10|.).'\] dealt to ([^\r\n]+?)[ \t]*\r?\n")
_FINAL: Final = re.compile(rb"([^\r\n]+) final stack: \$-?\d+\.\d\d[ \t]*\r?\n")
_TITLE: Final = re.compile(rb"^TOURNAMENT LOG\s+=*\s*\Z", re.MULTILINE)
_LONGEST_TITLE: Final = 80
FINAL_STACK: Final = b" final stack: $"


@dataclass(frozen=True)
class KoperMatch(MatchText):
    """A match of Koper.

    number   of a tournament's matches, from 1; 0 in v1
    results  its results in the tournament's console output (`Result`), () without one
    """

    number: int = 0
    results: tuple[Any, ...] = field(default=(), repr=False)


def _matches(
    text: Text, starts: list[int], names: list[tuple[bytes, ...]], numbers: list[int], engine: str
) -> list[MatchText]:
    found: list[MatchText] = []
    for k, start in enumerate(starts):
        end = starts[k + 1] if k + 1 < len(starts) else len(text)
        cut_short = not text.endswith(b"\n", 0, end)
        begin = start if k else 0
        aliases = LETTERS if numbers[k] and names[k] else ()
        if not k and (title := _TITLE.search(text, max(start - _LONGEST_TITLE, 0), start)):
            start = title.start()
        found.append(
            KoperMatch(begin, begin, end, names[k], True, cut_short, aliases, start, engine, numbers[k])
        )
    return found


def _headings(text: Text, word: bytes, form: re.Pattern[bytes]) -> Iterator[tuple[int, bool]]:
    """Offsets of the headings of games, and whether each is within a line, as after a truncated log."""
    places = places_of(text, word)
    for at, is_within in zip(places.tolist(), within_lines(text, places).tolist(), strict=True):
        # Text that a strategy prints into its line is not a heading.
        if not is_within or ((said := form.match(text, at)) and _BUY_INS.match(text, said.end())):
            yield at, is_within


def cut_v1(text: Text) -> list[MatchText]:
    """A match begins with game 1, with the first game after the end of another, and within a line."""
    over = lines_with(text, _OVER).tolist()
    starts: list[int] = []
    before = 0
    for at, is_within in _headings(text, OPENS_V1, _ROUND_V1):
        if (said := _ROUND_V1.match(text, at)) is None:
            continue
        if is_within or not starts or number_in(said[1]) == 1 or bisect(over, before) < bisect(over, at):
            starts.append(at)
        before = at
    return _matches(text, starts, [LETTERS] * len(starts), [0] * len(starts), NAME_V1)


def _names(text: Text, start: int, end: int) -> tuple[bytes, ...]:
    """The players by seat: as in the first stacks printed, else as dealt in the first game; () if both are incomplete.

    If the first game deals to all seats, stacks of other players belong to another match.
    """
    following = text.find(b"\n" + OPENS_V2, start + 1, end)
    dealt = tuple(_DEALT.findall(text, start, following if following >= 0 else end))
    is_dealt = len(dealt) == SEATS
    at = text.find(FINAL_STACK, start, end)
    if at >= 0:
        at = line_start(text, at)
        named: list[bytes] = []
        while len(named) < SEATS and (line := _FINAL.match(text, at, end)):
            named.append(line[1])
            at = line.end()
        if len(named) == SEATS and (not is_dealt or sorted(named) == sorted(dealt)):
            return tuple(named)
    return dealt if is_dealt else ()


def cut_v2(text: Text) -> list[MatchText]:
    """A match begins where its number changes, with game 1, and within a line."""
    starts: list[int] = []
    numbers: list[int] = []
    before, same = -1, b""
    for at, is_within in _headings(text, OPENS_V2, _ROUND_V2):
        # Most headings are of the next game of the same match.
        if (
            same
            and not is_within
            and text.startswith(same, at)
            and not text.startswith(b"1 ", at + len(same))
        ):
            continue
        if (said := _ROUND_V2.match(text, at)) is None:
            continue
        match, game = number_in(said[1]), number_in(said[2])
        if is_within or match != before or game == 1:
            starts.append(at)
            numbers.append(match)
        before, same = match, bytes(text[at : said.start(2)])
    ends = [*starts[1:], len(text)][: len(starts)]
    names = [_names(text, start, end) for start, end in zip(starts, ends, strict=True)]
    return _matches(text, starts, names, numbers, NAME_V2)


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
    """True if the first bytes of a file are a tournament's console output.

    Console output after a log's hands was pasted into it: the file is that log.
    """
    head = head[:_HEAD_BYTES]
    banner = _BANNER.search(head) if _BANNER_WORD in head else None
    return banner is not None and not holds_hands(head[: banner.start()])


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
    """The files of a folder with the name of a console output, by stem; of several with one stem the first by name."""
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
    """The console outputs of the logs of an ingest: among its inputs, or on disk in a log's folder."""

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
        """The results in the console output of a log; empty if there is none."""
        stem = tournament_stem(source.path)
        return {} if stem is None else self._found(stem)


def with_results(piece: Piece, results: Results) -> Piece:
    """A piece, with the results of the console output added to its matches."""
    if not results:
        return piece
    matches = tuple(
        replace(match, results=results.get(match.number, ())) if isinstance(match, KoperMatch) else match
        for match in piece.matches
    )
    return replace(piece, matches=matches)
