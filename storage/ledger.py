"""The ledger: what became of every file, line and hand that was read."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

import pyarrow as pa

from ..replay.outcome import FOREIGN
from ..schema.columns import schema
from ..variants.properties import Properties
from .place import failure

CUT: Final = "the compressed file is truncated or damaged"
FAILED: Final = "railbird failed on it; please report this"
KNOWN: Final = "already in the store"
NAMELESS: Final = "the players cannot be identified"
NOT_A_LOG: Final = "no known engine writes lines such as {!r}"
NOT_OF_DIALECT: Final = "--dialect {1}: its engine does not write lines such as {0!r}"
NO_STAKES: Final = "--stack, --blinds: the stakes of {} are those of its rules or of its lines"
OTHER_GAME: Final = "--game {}: lines of {} are of another kind of game"
PART: Final = "part of {}"
REPLACED: Final = "replaced by a longer version of the log"
STRAY: Final = "stands outside every hand"
UNSURE: Final = "may be {} as well, since no river card is red"
UNDONE: Final = "not read to its end yet"
UNKNOWN: Final = "no template accepts it"
HEADLESS: Final = f"{UNKNOWN}, and a hand begins with it"
WITH_NUL: Final = f"{UNKNOWN}: it holds NUL bytes"


_PART: Final = PART.partition("{")[0]
_FOREIGN: Final = FOREIGN.partition("{")[0]
_OTHER: Final = OTHER_GAME.partition("{")[0]
_NO_STAKES: Final = NO_STAKES.partition("{")[0]
_OF_DIALECT: Final = NOT_OF_DIALECT.partition("{")[0]
_OF_WISHES: Final = _FOREIGN, _OTHER, _OF_DIALECT, _NO_STAKES
_PASSING: Final = FAILED, *_OF_WISHES
"""How reasons begin that another version of railbird, or another wish, does away with."""

_STRANGE: Final = 5
_STRANGE_SHARE: Final = 1 / 5
"""Unknown lines, and which part of all, from which a text without a hand is no log that was just begun."""


def failed_on(error: BaseException) -> str:
    """The reason of what railbird itself failed on; the logger `railbird` has the traceback, at level DEBUG."""
    import logging

    logging.getLogger("railbird").debug("failed", exc_info=error)
    return f"{FAILED}: {failure(error)}"


class Unknown(NamedTuple):
    """A row of `unknown_lines`."""

    file_id: int
    line: int
    text: str
    reason: str


def not_a_log(text: str, dialect: str | None = None) -> str:
    """That no engine, or none of the dialect that the user named, writes such a line, by its beginning."""
    return (NOT_OF_DIALECT if dialect else NOT_A_LOG).format(text[:60].strip(), dialect)


_NONE: Final[Counter[str]] = Counter()
"""Of no hand; most accounts share it, so nothing is counted in it."""


@dataclass(slots=True)
class Account:
    """What became of one version of a file; a row of `files` once it is read to its end.

    problem: why it, or what is left of it, could not be read; cut: it is compressed, and its end is missing; sidecar:
    what it is where it informs a log beside it; rejected: hands by the reason why they are not stored; fits: matches
    that may be of another game, by its name; dialects, revisions: those of its matches, each with the number of the
    first; strange: the first line that no template accepts, or the first of a match that is of no game; nameless: the
    first hand of the first match whose players cannot be told; taken_off: what stood before all its lines; games: those
    of its stored matches, by name.
    """

    file_id: int
    path: str
    size: int
    problem: str = ""
    cut: bool = False
    sidecar: str = ""
    matches: int = 0
    hands_stored: int = 0
    hands_damaged: int = 0
    lines_seen: int = 0
    lines_unknown: int = 0
    dialects: tuple[tuple[str, int], ...] = ()
    revisions: tuple[tuple[str, int], ...] = ()
    rejected: Counter[str] = field(default_factory=lambda: _NONE)
    fits: Counter[str] = field(default_factory=lambda: _NONE)
    strange: Unknown | None = None
    nameless: Unknown | None = None
    taken_off: str = ""
    games: Mapping[str, Properties] = field(default_factory=dict)

    def why_no_log(self, dialect: str | None = None) -> tuple[str, int] | None:
        """Why it is none, and the line that tells, though it began like one or was said to be of a dialect: it is of
        another game, too many of its lines are unknown, or no players can be told."""
        if self.hands_stored or self.problem or self.cut:
            return None
        whys = set(+self.rejected)
        # A log that was just begun has one such hand, and is no reason to complain.
        is_nameless = self.rejected[NAMELESS] > 1 and whys <= {NAMELESS, HEADLESS}
        if self.strange is not None:
            if whys and all(why.startswith(_OF_WISHES) for why in whys):
                return min(whys), self.strange.line
            many = self.lines_unknown >= max(_STRANGE, _STRANGE_SHARE * self.lines_seen)
            if many and whys <= {NAMELESS, HEADLESS}:
                return not_a_log(self.strange.text, dialect), self.strange.line
        first = earlier(self.nameless, self.strange)
        if is_nameless and first is not None:
            return f"{NAMELESS} in lines such as {first.text[:60].strip()!r}", first.line
        return None

    @property
    def hands_rejected(self) -> int:
        """Hands read and not stored."""
        return sum(self.rejected.values())

    @property
    def was_read(self) -> bool:
        """True where it is a log, or part of it was read."""
        return self.hands_stored > 0 or not self.problem

    def lose(self, hands: int, damaged: int, why: str = REPLACED, matches: int = 1) -> None:
        """So many hands were taken out of the store, after they were counted here."""
        for name, count in _held(hands, damaged, matches).items():
            setattr(self, name, getattr(self, name) - count)
        self.rejected = summed(self.rejected, Counter({why: hands}))

    @property
    def hands_known(self) -> int:
        """Hands read and not stored because another file holds them."""
        return sum(hands for why, hands in self.rejected.items() if _is_known(why))

    @property
    def status(self) -> str:
        """ok, partial, ignored (the store holds all of it already), sidecar (it informs a log) or rejected.

        What is rejected is read again when it is given again.
        """
        none_yet = not self.hands_stored and self.hands_rejected > 0
        if self.problem or (none_yet and all(why.startswith(_PASSING) for why in +self.rejected)):
            return "rejected"
        if self.sidecar:
            return "sidecar"
        if not self.hands_stored and self.hands_rejected and self.hands_rejected == self.hands_known:
            return "ignored"
        return "partial" if self.hands_rejected or not self.hands_stored or self.cut else "ok"

    @property
    def reason(self) -> str:
        """Why the status is not ok, and what else its matches may be; empty where neither is to be said."""
        if self.problem or self.sidecar:
            return self.problem or self.sidecar
        said = [CUT] if self.cut else []
        said += [self.taken_off] if self.taken_off else []
        if not self.hands_stored and not self.rejected:
            strange = f", and no template accepts {self.lines_unknown:,} of its {self.lines_seen:,} lines"
            said.append("no complete hand in it yet" + (strange if self.lines_unknown else ""))
        said += [left_out(count, why) for why, count in sorted(self.rejected.items()) if count]
        said += [
            f"{UNSURE.format(game)}: {count:,} of {self.matches:,}"
            for game, count in sorted(self.fits.items())
        ]
        return "; ".join(said)

    def row(self) -> dict[str, object]:
        """The row of `files`."""
        return {
            "file_id": self.file_id,
            "path": self.path,
            "bytes": self.size,
            "dialect": _in_order(self.dialects),
            "revision": _in_order(self.revisions),
            "matches": self.matches,
            "hands_seen": self.hands_stored + self.hands_rejected,
            "hands_stored": self.hands_stored,
            "hands_damaged": self.hands_damaged,
            "hands_rejected": self.hands_rejected,
            "lines_seen": self.lines_seen,
            "lines_unknown": self.lines_unknown,
            "status": self.status,
            "reason": self.reason or None,
        }


@lru_cache(maxsize=256)
def joined(
    places: tuple[tuple[str, int], ...], more: tuple[tuple[str, int], ...]
) -> tuple[tuple[str, int], ...]:
    """Names, each with its first place in either: the same object for the same ones, as accounts are many."""
    return tuple({name: place for name, place in sorted((*places, *more), key=lambda one: -one[1])}.items())


def _in_order(places: tuple[tuple[str, int], ...]) -> str | None:
    """Names in the order of their places in a file, which is that of no thread."""
    return "+".join(name for name, _ in sorted(places, key=lambda one: one[1])) or None


def earlier(one: Unknown | None, other: Unknown | None) -> Unknown | None:
    """The one of two lines that stands first in its file."""
    return min(filter(None, (one, other)), key=lambda row: row.line, default=None)


def summed(counts: Counter[str], more: Counter[str]) -> Counter[str]:
    """Both counts; the same object where nothing is added."""
    if not more:
        return counts
    both = Counter(counts)
    both.update(more)
    return both


def _is_known(why: str) -> bool:
    """True for the reasons of hands that another file holds."""
    return why == KNOWN or why.startswith(_PART)


def _held(hands: int, damaged: int, matches: int) -> dict[str, int]:
    """What so many matches and hands add to a row of `files`."""
    return {"matches": matches, "hands_stored": hands, "hands_damaged": damaged}


def left_out(count: int, why: str) -> str:
    """So many hands, and why they are not stored, in words."""
    return f"{count:,} {'hand' if count == 1 else 'hands'}: {why}"


def files_table(accounts: Iterable[Account]) -> pa.Table:
    """The `files` rows of some accounts."""
    return pa.Table.from_pylist([account.row() for account in accounts], schema("files"))


def unknown_table(rows: Iterable[Unknown]) -> pa.Table:
    """The `unknown_lines` rows."""
    return pa.Table.from_pylist([row._asdict() for row in rows], schema("unknown_lines"))


def take_back(
    rows: pa.Table, file_id: int, hands: int, damaged: int, why: str = REPLACED, matches: int = 1
) -> pa.Table:
    """`files` rows after hands of one file were taken out, as `Account.lose`.

    What was rejected stays so, and is read again when it is given again.
    """
    taken = []
    for row in rows.to_pylist():
        if row["file_id"] == file_id:
            for name, count in _held(hands, damaged, matches).items():
                row[name] -= count
            row["hands_rejected"] += hands
            if row["status"] != "rejected":
                said = [*filter(None, (row["reason"],)), left_out(hands, why)]
                known = all(_is_known(one.partition(": ")[2]) for some in said for one in some.split("; "))
                row["status"] = "ignored" if known and not row["hands_stored"] else "partial"
                row["reason"] = "; ".join(said)
        taken.append(row)
    return pa.Table.from_pylist(taken, schema("files"))
