"""A bot's own log next to the match: its lines become notes of the decisions that they are about.

A line is a JSON object with `round`, the printed number of the hand, and `order`, which of the bot's decisions in that
hand it is about. Further keys say what the bot believed; docs/own-logs.md describes them. A log in words of its own is
read by templates in the grammar of variants (`OwnLine`).
"""

import json
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, Final

from ..parsers.grammar import DECIMAL, INTEGER, NEGATED, Template
from ..parsers.sources import WishError
from ..storage.editing import write_notes
from ..storage.ledger import is_called
from ..storage.locations import Place, reason
from .store import Store, open_store
from .views import queries

_ROUND, _ORDER, _PLAYER, _MATCH = "round", "order", "player", "match"
_NAMES: Final = {
    "probability": ("probability", "equity"),
    "seconds": ("seconds", "time"),
    "claim": ("claim", "range"),
    "text": ("text", "reason"),
}
"""For each column of notes the keys that fill it; the first one of a line counts."""
_LONGEST: Final = 1_000_000
_LONGEST_WORDS: Final = 2048
"""Bytes of a line that templates are tried on, as of a log's lines."""
_KEY_NAME: Final = re.compile(r"[a-z_][a-z0-9_]*%?")
_SHOWN: Final = 5
"""Complaints of one kind that are listed."""


@dataclass(frozen=True)
class Line:
    """A line of a bot's log, number from 1.

    player, match: as the line names them; note: values by columns of notes
    """

    number: int
    round: int
    order: int
    player: str | None
    match: str | None
    note: Mapping[str, Any]


@dataclass
class Joined:
    """What `join` did: lines tied to decisions by player, and why others were not."""

    path: str
    lines: int = 0
    tied: Counter[str] = field(default_factory=Counter)
    complaints: list[str] = field(default_factory=list)

    @property
    def sentence(self) -> str:
        """One line for the user."""
        by = ", ".join(f"{count:,} of {name}" for name, count in sorted(self.tied.items()))
        counted = f"{self.tied.total():,} of {self.lines:,} lines of {self.path}"
        return f"joined    {counted} to decisions{': ' * bool(by)}{by}"


def _note(made: dict[str, Any]) -> dict[str, Any]:
    """The columns of notes of a line; what no column takes becomes text, as JSON. ValueError says what is wrong."""
    rest = {key: value for key, value in made.items() if key not in (_ROUND, _ORDER, _PLAYER, _MATCH)}
    note: dict[str, Any] = {}
    for column, keys in _NAMES.items():
        key = next((key for key in keys if rest.get(key) is not None), None)
        if key is None:
            continue
        value = rest.pop(key)
        if column in ("probability", "seconds"):
            if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
                raise ValueError(f"{key} is no number")
            if value < 0 or (column == "probability" and value > 1):
                raise ValueError(f"{key} is not {'from 0 to 1' if column == 'probability' else '0 or more'}")
            note[column] = float(value)
        else:
            note[column] = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    rest = {key: value for key, value in rest.items() if value is not None}
    if rest:
        more = json.dumps(rest, ensure_ascii=False)
        note["text"] = f"{note['text']} {more}" if "text" in note else more
    if "text" in note or "claim" in note:
        # Half of a surrogate pair is no text that Parquet holds.
        note |= {
            key: note[key].encode("utf-8", "replace").decode() for key in ("text", "claim") if key in note
        }
    return note


def _whole(made: dict[str, Any], key: str) -> int:
    value = made.get(key)
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{key} is no whole number from 0 on")
    return value


def _named(made: dict[str, Any], key: str) -> str | None:
    value = made.get(key)
    if value is not None and not isinstance(value, str):
        raise ValueError(f"{key} is no text")
    return value


@dataclass(frozen=True)
class OwnLine:
    """How a bot prints a kind of line: keys, one a field, and the pattern with the fields of `parsers.grammar`.

    A key with % is a percentage: `equity%` of 61 is an equity of 0.61.
    """

    keys: tuple[str, ...]
    template: Template

    def values(self, line: bytes) -> dict[str, Any] | None:
        """The keys and values of a line; None if it is another one."""
        said = self.template.regex.fullmatch(line)
        if said is None:
            return None
        made: dict[str, Any] = {}
        for key, kind, word in zip(self.keys, self.template.fields, said.groups(), strict=True):
            text = word.decode("utf-8", "replace").strip()
            value: Any = text
            if kind in (INTEGER, NEGATED):
                value = -int(text) if kind == NEGATED else int(text)
            elif kind == DECIMAL:
                value = float(text)
            if key.endswith("%") and isinstance(value, int | float):
                value /= 100
            made[key.removesuffix("%")] = value
        return made


def own_lines(rows: Sequence[str]) -> list[OwnLine]:
    """Rows such as `round+order+equity R{n} d{n}: {d}`, as lines of a bot's log; WishError says what is wrong."""
    found = []
    for row in rows:
        names, _, pattern = row.strip().partition(" ")
        keys = tuple(names.split("+"))
        try:
            # A template has an event, which says nothing here.
            made = OwnLine(keys, Template("fold", pattern.strip()))
        except ValueError as error:
            raise WishError(f"--join-line {row!r}: {error}") from None
        wrong = next((key for key in keys if not _KEY_NAME.fullmatch(key)), None)
        if wrong is not None:
            raise WishError(f"--join-line {row!r}: {wrong!r} is no name of a key")
        if len(keys) != len(made.template.fields) or len(set(keys)) != len(keys):
            raise WishError(
                f"--join-line {row!r}: {len(set(keys))} keys for {len(made.template.fields)} fields"
            )
        found.append(made)
    if found and not any(_ROUND in one.keys for one in found):
        raise WishError(f"--join-line: no line has the key {_ROUND}")
    return found


def _in_words(file: Iterable[bytes], forms: Sequence[OwnLine]) -> Iterator[tuple[int, dict[str, Any]]]:
    """Number and keys of each line that fits a form and says something of a decision.

    A line without `round` is of the last round that was named; one without `order` is of the round's next decision.
    """
    about = {_ROUND, _PLAYER, _MATCH}
    last: dict[str, Any] = {}
    next_order: Counter[tuple[Any, ...]] = Counter()
    for number, line in enumerate(file, 1):
        if len(line) > _LONGEST_WORDS:
            continue
        made = next((made for form in forms if (made := form.values(line)) is not None), None)
        if made is None:
            continue
        last |= {key: value for key, value in made.items() if key in about}
        if made.keys() <= about:
            continue
        made = {**last, **made}
        place = tuple(made.get(key) for key in sorted(about))
        made.setdefault(_ORDER, next_order[place])
        next_order[place] += 1
        yield number, made


def _line(number: int, made: dict[str, Any]) -> Line:
    """A line of its keys; ValueError says what is wrong with one."""
    return Line(
        number,
        _whole(made, _ROUND),
        _whole(made, _ORDER),
        _named(made, _PLAYER),
        _named(made, _MATCH),
        _note(made),
    )


def _in_json(file: Iterable[bytes]) -> Iterator[tuple[int, dict[str, Any] | str]]:
    """Number and keys of each JSON object with round or order; a text for a line that cannot be read."""
    for number, text in enumerate(file, 1):
        if not text.lstrip().startswith(b"{"):
            continue
        if len(text) > _LONGEST:
            yield number, f"longer than {_LONGEST:,} bytes"
            continue
        try:
            made = json.loads(text)
        except (ValueError, RecursionError):
            yield number, "no JSON"
            continue
        if _ROUND in made or _ORDER in made:
            yield number, made


def _lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file; of a longer one than may be, the beginning, which is too long itself."""
    while text := file.readline(_LONGEST + 1):
        yield text
        while text and not text.endswith(b"\n"):
            text = file.readline(_LONGEST)


def read_lines(path: Path, forms: Sequence[OwnLine] = ()) -> Iterator[Line | str]:
    """The lines of a bot's log, and what is wrong with those that cannot be read; other lines are left out.

    forms  how lines with words of their own look; without one they are JSON

    OSError if the file cannot be read.
    """
    with path.open("rb") as file:
        for number, made in _in_words(_lines(file), forms) if forms else _in_json(_lines(file)):
            try:
                if isinstance(made, str):
                    raise ValueError(made)
                yield _line(number, made)
            except ValueError as error:
                yield f"line {number}: {error}"


@dataclass(frozen=True)
class _Seat:
    """A seat of a match, with the decisions of its bot by (round, place); None where two hands have the number."""

    match_id: int
    path: str
    seat: int
    player: str
    decisions: Mapping[tuple[int, int], tuple[int, int] | None]

    def tied(self, lines: Sequence[Line], first: int) -> int:
        """How many lines are about a decision."""
        return sum(self.decisions.get((line.round, line.order - first)) is not None for line in lines)


def _seats(store: Store, paths: Sequence[str]) -> list[_Seat]:
    """The seats of the matches of some files."""
    files = dict(
        store.execute(
            "select match_id, path from matches join files using (file_id) where list_contains($paths, path)",
            paths=list(paths),
        ).fetchall()
    )
    found: dict[tuple[int, int, str], dict[tuple[int, int], tuple[int, int] | None]] = {}
    for match, number, hand, seat, seq, player, place in store.execute(
        queries("join")["decisions"], ids=list(files)
    ).fetchall():
        own = found.setdefault((match, seat, player), {})
        own[number, place] = None if (number, place) in own else (hand, seq)
    return [
        _Seat(match, files[match], seat, player, own) for (match, seat, player), own in sorted(found.items())
    ]


def _seat_of(
    lines: Sequence[Line], first: int, seats: Sequence[_Seat], player: str | None, match: str | None
) -> _Seat:
    """The seat that some lines are about; WishError where that is not clear."""
    named = [
        seat
        for seat in seats
        if player in (None, seat.player)
        and (match is None or str(seat.match_id) == match or is_called(seat.path, match))
    ]
    if not named:
        said = " and ".join(
            f"{what} {name!r}" for what, name in (("player", player), ("match", match)) if name
        )
        raise WishError(f"no decision of {said} in these logs" if said else "no decision in these logs")
    if len(named) == 1:
        return named[0]
    whole = [seat for seat in named if seat.tied(lines, first) == len(lines)]
    if len(whole) == 1:
        return whole[0]
    fit = whole or named
    some = ", ".join(f"{seat.player!r} in {Path(seat.path).name}" for seat in fit[:_SHOWN])
    more = f" and {len(fit) - _SHOWN} more" if len(fit) > _SHOWN else ""
    which = "may be about" if whole else "are not all about decisions of one of"
    raise WishError(f'the lines {which} {some}{more}: add "player" and "match" to each line')


def join(place: Place, path: str | Path, paths: Sequence[str], forms: Sequence[OwnLine] = ()) -> Joined:
    """Tie the lines of a bot's log to its decisions in the matches of some files, and write them into the store.

    path   the log; paths: of files as in the table `files`; forms: of lines in words of their own

    Values of a line replace those that a note had. WishError if the log cannot be read, or it is not clear whose it is.
    """
    found = Joined(str(path))
    lines: list[Line] = []
    try:
        for one in read_lines(Path(path), forms):
            if isinstance(one, Line):
                lines.append(one)
            else:
                found.complaints.append(f"{path}: {one}")
    except OSError as error:
        raise WishError(f"--join {path}: {reason(error)}") from None
    found.lines = len(lines) + len(found.complaints)
    if not lines:
        wanted = "fits --join-line" if forms else f"is JSON with {_ROUND} and {_ORDER}"
        raise WishError(f"--join {path}: no line {wanted}")
    # Counted from 0 or from 1: a bot that is asked at all has a first decision.
    first = min(1, min(line.order for line in lines))
    groups: dict[tuple[str | None, str | None], list[Line]] = {}
    for line in lines:
        groups.setdefault((line.player, line.match), []).append(line)
    with open_store(place) as store:
        seats = _seats(store, paths)
        notes: dict[int, dict[tuple[int, int, int], dict[str, Any]]] = {}
        astray: list[str] = []
        for (player, match), some in groups.items():
            try:
                seat = _seat_of(some, first, seats, player, match)
            except WishError as error:
                raise WishError(f"--join {path}: {error}") from None
            own = notes.setdefault(seat.match_id, {})
            for line in some:
                decision = seat.decisions.get((line.round, line.order - first))
                if decision is None:
                    where = f"no decision {line.order} in round {line.round}"
                    astray.append(f"{path}: line {line.number}: {seat.player!r} has {where}")
                    continue
                own[(*decision, seat.seat)] = dict(line.note)
                found.tied[seat.player] += 1
        found.complaints += astray
        made = {match: _merged(store, match, own) for match, own in notes.items() if own}
    if made:
        write_notes(place, made)
    return found


def _merged(
    store: Store, match_id: int, own: Mapping[tuple[int, int, int], Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The notes of a match with those of a bot's log."""
    answer = store.execute("select * from stored.notes where match_id = $match", match=match_id)
    names = [column[0] for column in answer.description or ()]
    rows = {
        (row["hand_index"], row["seq"], row["seat"]): row
        for row in (dict(zip(names, values, strict=True)) for values in answer.fetchall())
    }
    for key, note in own.items():
        empty = dict.fromkeys(names) | {"match_id": match_id} | dict(zip(_KEY, key, strict=True))
        rows[key] = {**rows.get(key, empty), **note}
    return [rows[key] for key in sorted(rows)]


_KEY: Final = ("hand_index", "seq", "seat")


def listed(complaints: Sequence[str]) -> list[str]:
    """The first complaints, and how many more there are."""
    more = len(complaints) - _SHOWN
    return [*complaints[:_SHOWN], *([f"and {more:,} more lines that no decision has"] if more > 0 else [])]
