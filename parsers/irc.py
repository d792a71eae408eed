"""The IRC poker database: hands of dealer programs, each in three files, joined by its time stamp.

`hdb` has one line per hand, `hroster` the players of each, `pdb/pdb.NAME` one line per hand of a player. A player's
actions are letters in its own order, with three amounts per hand: the chips of each action follow from the limits.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from .grammar import TOO_LONG, number_in
from .record_values import moment
from .records import Record as Line
from .sidecar_names import IRC_HANDS, IRC_PLAYERS, IRC_ROSTER, month_of, split
from .sources import Source, SourceError, limits_among, sources
from .table_lines import Lines, in_matches
from .unpacking import plain_name

NAME: Final = "irc"

BOARDS: Final = (0, 3, 4, 5)
STREETS: Final = len(BOARDS)
HOLES: Final = 2
_TWO: Final = 2
_POSTING: Final = -1
_NOT_IN_ROSTER: Final = "not in hroster"
_DISAGREE: Final = "records do not agree"
OPEN_AMOUNTS: Final = "amounts around an all-in are not written"
SMALL_BLIND: Final = 5
BIG_BLIND: Final = 10
_FIXED: Final = (10, 10, 20, 20)
_LEAVES: Final = "QK"
_FOLDS: Final = f"f{_LEAVES}"


@dataclass(frozen=True, slots=True)
class Record:
    """A player's line of a hand: position from 1, letters by street, chips, hole cards if it showed them."""

    name: str
    players: int
    position: int
    letters: tuple[str, ...]
    bankroll: int
    put: int
    won: int
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Listed:
    """A line of `hdb`: players and pot at the start of each street after the first and at the end; the board."""

    line: int
    time: int
    set: int
    number: int
    players: int
    pots: tuple[tuple[int, int], ...]
    board: tuple[str, ...]


class Month(NamedTuple):
    """The files next to a list of hands, by the time of a hand: the players, and the record of each."""

    rosters: Mapping[int, Sequence[str]]
    records: Mapping[int, Mapping[str, Record]]


@dataclass(slots=True)
class Hand:
    """A hand with its players in the order of their positions.

    moves  (street, place, word, chips of the street) of each action, blinds with street _POSTING
    why    why its amounts are unknown, "" if they are known
    """

    listed: Listed
    records: tuple[Record, ...]
    moves: list[tuple[int, int, str, int]] = field(default_factory=list)
    why: str = ""


def listed(line: int, text: str) -> Listed | None:
    """A parsed line of `hdb`, None if it is invalid."""
    words = text.split()
    if len(words) < 8 or not all(word.isdecimal() for word in words[:4]):
        return None
    pots = [word.split("/") for word in words[4:8]]
    if not all(len(pot) == 2 and pot[0].isdecimal() and pot[1].isdecimal() for pot in pots):
        return None
    numbers = [*map(number_in, words[:4])]
    amounts = tuple((number_in(a), number_in(b)) for a, b in pots)
    if TOO_LONG in numbers or any(TOO_LONG in pot for pot in amounts):
        return None
    time, set_, number, players = numbers
    return Listed(line, time, set_, number, players, amounts, tuple(words[8:]))


def record_of(text: str) -> tuple[int, Record] | None:
    """The time and the record in a line of a player's file, None if it is invalid."""
    words = text.split()
    if len(words) < 11 or not all(word.isdecimal() for word in (*words[1:4], *words[8:11])):
        return None
    numbers = [*map(number_in, (*words[1:4], *words[8:11]))]
    if TOO_LONG in numbers:
        return None
    time, players, position, bankroll, put, won = numbers
    letters = tuple("" if word == "-" else word for word in words[4:8])
    return time, Record(words[0], players, position, letters, bankroll, put, won, tuple(words[11:]))


def joined(one: Listed, roster: Sequence[str] | None, records: Mapping[str, Record]) -> Hand | str:
    """A hand joined from its three files, or why they do not make one."""
    if roster is None:
        return _NOT_IN_ROSTER
    places = sorted(records.values(), key=lambda record: record.position)
    count = len(places)
    if (
        set(records) != set(roster)
        or count != one.players
        or count != len(roster)
        or [record.position for record in places] != list(range(1, count + 1))
    ):
        return _DISAGREE
    hand = Hand(one, tuple(places))
    _replay(hand)
    return hand


def _replay(hand: Hand) -> None:
    """Put the letters in the order in which the players acted, with the chips that each puts in."""
    records, count = hand.records, len(hand.records)
    put, out = [0] * count, [False] * count
    left = [record.bankroll for record in records]
    posters = [place for place in range(count) if records[place].letters[0].startswith("B")]
    pip = [0] * count
    blinds = (BIG_BLIND,) if len(posters) == 1 else (SMALL_BLIND, BIG_BLIND)
    if len(posters) > len(blinds) or not posters:
        hand.why = _DISAGREE
        return
    for place, chips in zip(posters, blinds, strict=True):
        pip[place] = min(chips, left[place])
        hand.moves.append((_POSTING, place, "small" if chips == SMALL_BLIND else "big", pip[place]))
    level = BIG_BLIND
    for street in range(STREETS):
        letters = [list(record.letters[street]) for record in records]
        if street == 0:
            for place in posters:
                del letters[place][0]
        else:
            _count(pip, put, left)
            pip, level = [0] * count, 0
            seen = hand.listed.pots[street - 1]
            if seen != (0, 0) and seen != (out.count(False), sum(put)):
                hand.why = OPEN_AMOUNTS
                return
        at = (posters[-1] + 1) % count if street == 0 else 0
        waiting = 0
        # The last player may still leave.
        while out.count(False) > 1 and waiting <= count:
            place, at = at, (at + 1) % count
            if out[place] or not letters[place] or put[place] + pip[place] >= records[place].bankroll:
                waiting += 1
                continue
            waiting = 0
            letter, own, before = letters[place].pop(0), left[place], pip[place]
            if letter in _FOLDS:
                out[place] = True
                word = "leave" if letter in _LEAVES else "fold"
            elif letter == "k":
                word = "check"
            elif letter == "c":
                pip[place], word = min(level, own), "call"
            elif letter in "br":
                pip[place], word = min(level + _FIXED[street], own), "bet" if level == 0 else "raise"
            elif letter == "A":
                pip[place] = own
                word = "call" if own <= level else "bet" if level == 0 else "raise"
            else:
                hand.why = _DISAGREE
                return
            if pip[place] < before:
                hand.why = OPEN_AMOUNTS
                return
            if word in ("bet", "raise") and pip[place] < level + _FIXED[street]:
                # All that the player had left; no line prints the amount.
                hand.why = OPEN_AMOUNTS
                return
            level = max(level, pip[place])
            hand.moves.append((street, place, word, pip[place]))
    _count(pip, put, left)
    if any(record.put != chips for record, chips in zip(records, put, strict=True)):
        hand.why = OPEN_AMOUNTS


def _count(pip: Iterable[int], put: list[int], left: list[int]) -> None:
    """Add what was put in on a street."""
    for place, chips in enumerate(pip):
        put[place] += chips
        left[place] -= chips


def translate(records: Iterator[Line], out: Lines, month: Callable[[str], Month]) -> Iterator[None]:
    """The table lines of a list of hands. month: the files next to it, by its path."""
    found: list[Hand | tuple[int, str]] = []
    for source in records:
        text = source.value.decode("utf-8", "surrogateescape").strip()
        one = listed(source.number, text)
        if one is None:
            if text:
                found.append((source.number, text))
            continue
        beside = month(source.path)
        hand = joined(one, beside.rosters.get(one.time), beside.records.get(one.time, {}))
        found.append((source.number, hand) if isinstance(hand, str) else hand)
    for players, some in in_matches(found, _players):
        names = {player: seat for seat, player in enumerate(players)}
        first = next((hand for hand in some if isinstance(hand, Hand)), None)
        opening = len(first.records) if first is not None else 0
        began = moment(first.listed.time) if first is not None else ""
        out.match(players, NAME, small=SMALL_BLIND, big=BIG_BLIND, opening=opening, played_at=began)
        for each in some:
            if isinstance(each, Hand):
                write(each, names, out)
            else:
                out.unread(each[1], each[0])
        yield


def _players(hand: Hand | tuple[int, str]) -> Iterator[str]:
    if isinstance(hand, Hand):
        yield from (record.name for record in hand.records)


def write(hand: Hand, names: Mapping[str, int], out: Lines) -> None:
    """The table lines of a hand; its number is its time stamp, the only unique number."""
    seats = [names[record.name] for record in hand.records]
    out.at(hand.listed.line)
    out.add(f"hand {hand.listed.time} {seats[-1]}")
    if hand.why:
        out.add(f"reason {hand.why}")
    out.add(f"limit 2 {_FIXED[0]} {_FIXED[-1]}")
    for seat, record in zip(seats, hand.records, strict=True):
        out.add(f"seat {seat} {record.bankroll}")
    moves = [] if hand.why else hand.moves
    posts = [(place, word, chips) for street, place, word, chips in moves if street == _POSTING]
    for place, word, chips in posts:
        out.add(f"{word} {seats[place]} {chips}")
    if posts and posts[-1][2] < BIG_BLIND:
        out.add(f"price {BIG_BLIND}")
    if posts and len(seats) == _TWO:
        # The button may have the big blind.
        out.add(f"first {seats[1 - posts[-1][0]]}")
    for seat, record in zip(seats, hand.records, strict=True):
        out.add(f"deal {seat} {' '.join(record.cards)}" if record.cards else f"hidden {seat} {HOLES}")
    board, dealt = hand.listed.board, 0
    for street, count in enumerate(BOARDS):
        if count > len(board):
            break
        if count > dealt:
            out.add(f"board {' '.join(board[dealt:count])}")
            dealt = count
        for at, place, word, chips in moves:
            if at == street:
                out.add(
                    f"raise {seats[place]} {chips}" if word in ("bet", "raise") else f"{word} {seats[place]}"
                )
    for seat, record in zip(seats, hand.records, strict=True):
        if record.cards:
            out.add(f"show {seat} {' '.join(record.cards)}")
    for seat, record in zip(seats, hand.records, strict=True):
        if record.won and not hand.why:
            out.add(f"total {seat} {record.won}")
        if hand.why:
            out.add(f"net {seat} {record.won - record.put}")
    out.add("end")


class Months:
    """The files next to lists of hands: among an ingest's inputs, or on disk."""

    def __init__(self, given: Sequence[Source], complain: Callable[[str], None]) -> None:
        """Look through the inputs once, by their paths."""
        self._complain = complain
        self._parts: dict[str, list[Source]] = {}
        self._limits = limits_among(given)
        self._lists = set()
        for source in given:
            folder, name = split(source.path)
            if name == IRC_HANDS:
                self._lists.add(folder)
            elif (month := month_of(source.path)) is not None:
                self._parts.setdefault(month, []).append(source)
        self.beside = lru_cache(1)(self._beside)

    def of(self, path: str) -> Month:
        """The files next to a list of hands."""
        return self.beside(split(path)[0])

    def is_part(self, source: Source) -> bool:
        """True for a file next to a list of hands that is among the inputs or on disk."""
        month = month_of(source.path)
        return month is not None and (month in self._lists or (Path(month) / IRC_HANDS).is_file())

    def _sources(self, month: str) -> Iterator[Source]:
        given = self._parts.get(month, [])
        known = {split(source.path)[1] for source in given}
        yield from given
        folder = Path(month or ".")
        paths = [folder / IRC_ROSTER, *sorted((folder / IRC_PLAYERS).glob(f"{IRC_PLAYERS}.*"))]
        missing = [path for path in paths if path.is_file() and plain_name(path.name) not in known]
        yield from sources(missing, self._complain, self._limits)

    def _beside(self, month: str) -> Month:
        """The players of the hands of a folder, and their records, by the time of the hand."""
        rosters: dict[int, tuple[str, ...]] = {}
        records: dict[int, dict[str, Record]] = {}
        for source in self._sources(month):
            is_roster = split(source.path)[1] == IRC_ROSTER
            try:
                text = source.whole().decode("utf-8", "surrogateescape")
            except SourceError as error:
                self._complain(f"{source.path}: line 1: {error}")
                continue
            for line in text.splitlines():
                words = line.split()
                if is_roster and len(words) > 1 and words[0].isdecimal():
                    rosters[number_in(words[0])] = tuple(words[2:])
                elif not is_roster and (found := record_of(line)) is not None:
                    time, one = found
                    records.setdefault(time, {})[one.name] = one
        return Month(rosters, records)
