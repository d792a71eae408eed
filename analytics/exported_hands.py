"""The hands of a store in the formats of `exports`: read in order, a few thousand at a time."""

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import IO, Any, Final

from ..exports.acpc import Acpc
from ..exports.hands import Action, CannotHold, Format, Hand, Match, Options, Seat, Seen, Text
from ..exports.jsonl import Jsonl
from ..exports.ohh import Ohh
from ..exports.phh import Phh, Phhs
from ..exports.pokerstars import Pokerstars
from ..progress import Progress
from .exporting import Exported, new_folder
from .players import all_rules, check_player
from .settings import FileKind
from .views import queries

_FORMATS: Final[Mapping[FileKind, Callable[[Options], Format]]] = {
    FileKind.JSONL: Jsonl,
    FileKind.PHH: Phh,
    FileKind.PHHS: Phhs,
    FileKind.ACPC: Acpc,
    FileKind.OHH: Ohh,
    FileKind.POKERSTARS: Pokerstars,
}
HANDS_AT_ONCE: Final = 5_000
"""Hands that are in memory at a time, of a match of any length."""
_LAST: Final = 2**31 - 1

Window = tuple[int, int, int, int]
"""Hands from `low` to `high` by match_id and from `first` to `last` by hand_index."""
Key = tuple[int, int]


@dataclass(frozen=True)
class Written:
    """What an export of hands wrote.

    hands     hands written, and how many there were
    files     files written
    left_out  hands that the format cannot hold, by reason
    notes     hands written otherwise than the store has them, by what is different
    """

    folder: Path
    kind: FileKind
    hands: int
    files: int
    left_out: Mapping[str, int]
    notes: Mapping[str, int]

    @property
    def sentence(self) -> str:
        """One line: how many hands were written where, and how many were not, by reason."""
        left = sum(self.left_out.values())
        said = f"wrote {self.hands:,} of {self.hands + left:,} hands to {self.folder} as {self.kind}"
        said += f", {self.files:,} file{'s' * (self.files != 1)}"
        for what, counted in (("left out", self.left_out), ("changed", self.notes)):
            if counted:
                listed = sorted(counted.items(), key=lambda one: (-one[1], one[0]))
                reasons = ", ".join(f"{count:,} {reason}" for reason, count in listed)
                said += f"; {what} {sum(counted.values()):,}: {reasons}"
        return said


def export_hands(
    store: Exported,
    folder: Path,
    kind: FileKind,
    hero: str | None = None,
    progress: Progress | None = None,
    only: Collection[int] | None = None,
) -> Written:
    """Write the hands that a format can hold into a new folder; docs/export.md says which files.

    hero  the player whose hole cards alone are written before a showdown, in formats with a point of view
    only  match_ids; None for all matches

    StoreError, one line, if the folder is not empty or cannot be written, which leaves it empty; UnknownPlayer for a
    hero whom the store does not know.
    """
    if hero is not None:
        check_player(store, hero)
    form: Format = _FORMATS[kind](Options(hero))
    matches = {key: match for key, match in _matches(store).items() if only is None or key in only}
    total = sum(match.hands for match in matches.values())
    left_out, notes = Counter[str](), Counter[str]()
    written = done = 0
    with new_folder(folder) as fresh, _Files(fresh) as files:
        for match, hands in _by_match(store, matches, form.sees, only is not None):
            form.begin(match)
            for hand in hands:
                done += 1
                try:
                    texts = list(form.write(hand))
                except CannotHold as error:
                    left_out[str(error)] += 1
                    continue
                written += 1
                for text in texts:
                    files.write(text)
                    notes.update(text.notes)
                if progress is not None and not done % 100:
                    progress(done, total)
            for text in form.end(match):
                files.write(text)
        return Written(folder, kind, written, files.made, left_out, notes)


class _Files:
    """The files of an export, of which the last is open."""

    def __init__(self, folder: Path) -> None:
        self.made = 0
        self._folder = folder
        self._last = ""
        self._open: IO[str] | None = None
        self._stack = ExitStack()

    def write(self, text: Text) -> None:
        """Add a text to its file."""
        if self._open is None or text.path != self._last:
            self._stack.close()
            path = self._folder / text.path
            path.parent.mkdir(parents=True, exist_ok=True)
            self.made += not path.exists()
            self._open = self._stack.enter_context(path.open("a", encoding="utf-8", newline=""))
            self._last = text.path
        self._open.write(text.text)

    def __enter__(self) -> "_Files":
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()


def _matches(store: Exported) -> dict[int, Match]:
    """The matches by id, in the order of ids."""
    rules = all_rules(store)
    rows = store.sql(queries("export")["matches"])
    found: dict[int, Match] = {}
    for row in rows.fetchall():
        values = {name: _as_tuple(value) for name, value in zip(rows.columns, row, strict=True)}
        found[row[0]] = Match(rules=rules[values.pop("game")], **values)
    return found


def _as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _windows(matches: Sequence[Match], apart: bool = False) -> list[Window]:
    """All hands, in windows of about HANDS_AT_ONCE; apart: no window has two matches, between which others may lie."""
    found: list[Window] = []
    room = 0
    for match in matches:
        if found and match.hands <= room and not apart:
            found[-1] = (found[-1][0], match.match_id, 0, _LAST)
            room -= match.hands
            continue
        starts = range(0, max(match.hands, 1), HANDS_AT_ONCE)
        for first in starts:
            last = _LAST if first == starts[-1] else first + HANDS_AT_ONCE - 1
            found.append((match.match_id, match.match_id, first, last))
        room = HANDS_AT_ONCE - match.hands if len(starts) == 1 else 0
    return found


def _by_match(
    store: Exported, matches: Mapping[int, Match], sees: bool, apart: bool = False
) -> Iterator[tuple[Match, Iterator[Hand]]]:
    """Each match that has hands, with them in order."""
    windows = _windows([*matches.values()], apart)
    hands = (hand for window in windows for hand in _read(store, window, matches, sees))
    for match_id, of_match in groupby(hands, key=lambda hand: hand.match.match_id):
        yield matches[match_id], of_match


def _rows(store: Exported, name: str, window: Window) -> list[tuple[Any, ...]]:
    query = queries("export")[name]
    low, high, first, last = window
    return (
        store.cursor(query)
        .execute(query, {"low": low, "high": high, "first": first, "last": last})
        .fetchall()
    )


def _grouped(rows: Sequence[tuple[Any, ...]], kind: Any) -> dict[Key, list[Any]]:
    """Rows by hand, each made what it is a row of; lists become tuples."""
    found: dict[Key, list[Any]] = defaultdict(list)
    for match_id, hand_index, *values in rows:
        made = kind(*map(_as_tuple, values))
        found[match_id, hand_index].append(made)
    return found


def _read(store: Exported, window: Window, matches: Mapping[int, Match], sees: bool) -> list[Hand]:
    seats = _grouped(_rows(store, "seats", window), Seat)
    actions = _grouped(_rows(store, "actions", window), Action)
    seen = _grouped(_rows(store, "seen", window), Seen) if sees else {}
    boards = _grouped(_rows(store, "boards", window), lambda *row: row) if sees else {}
    made = []
    for match_id, hand_index, number, dealer, streets, ended, board, verdict, changed, *more in _rows(
        store, "hands", window
    ):
        key = match_id, hand_index
        if match_id not in matches:
            continue
        rake, second, why = more
        made.append(
            Hand(
                match=matches[match_id],
                hand_index=hand_index,
                hand_no=number,
                dealer_seat=dealer,
                streets=streets,
                ended_by=ended,
                board=None if board is None else tuple(board),
                verdict=verdict,
                board_changed=changed,
                rake=rake,
                second_board=second,
                why_unverified=tuple(why),
                seats=tuple(seats.get(key, ())),
                actions=tuple(actions.get(key, ())),
                seen=tuple(seen.get(key, ())),
                boards=dict(boards.get(key, ())),
            )
        )
    return made
