"""What an ingest tells of what it read and stored."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from shlex import quote
from typing import Final

from .copies import Copy
from .index import StoredMatch
from .ledger import UNSURE, Account
from .place import Place

_KEPT: Final = ", kept as read before: options that say how to read logs apply only to files not stored yet"
_SHOWN: Final = 12
_ALL: Final = """railbird sql --store {} "select path, status, reason from files where status <> 'ok'\""""


@dataclass
class Summary:
    """What an ingest read and stored.

    files       an account of every file read to its end, rejected ones included
    unchanged   paths of files that the store held already
    complaints  one line for every input that could not be read: path, line, reason
    verdicts, deviations  hands stored by verdict, and by deviation
    replaced    "matches", and their "hands", that were stored and gave way to a longer version of theirs
    overruled   the user said how to read, or where it comes from, what is unchanged
    held        the store held something of what was given before
    unread      paths of files that the system refused to read, which it may do another time
    copies      copies of parts of other matches that were in the store before
    """

    store: Place | str
    files: list[Account] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    verdicts: Counter[str] = field(default_factory=Counter)
    deviations: Counter[str] = field(default_factory=Counter)
    replaced: Counter[str] = field(default_factory=Counter)
    overruled: bool = False
    held: bool = False
    unread: list[str] = field(default_factory=list)
    copies: list[Copy] = field(default_factory=list)

    def add_copies(self, copies: Iterable[Copy]) -> None:
        """Count copies that were taken out, after they were counted among the hands stored or in the store before."""
        for copy in copies:
            if copy.match.batch:
                self.copies.append(copy)
            else:
                self.verdicts -= copy.verdicts
                self.deviations -= copy.deviations

    def add_replaced(self, matches: Iterable[StoredMatch], stale: Iterable[int]) -> None:
        """Count matches that longer versions replace; those of files that were only read again are not."""
        again = set(stale)
        for match in matches:
            if match.file_id not in again:
                self.replaced.update(matches=1, hands=match.hands)

    @property
    def nothing_read(self) -> bool:
        """True where no input could be read at all, nor held the store any of it."""
        return not self.held and not any(account.was_read for account in self.files)

    def lines(self) -> list[str]:
        """The summary and the ledger as text: what was read, the verdicts, and every file that is not ok.

        Of those that could not be read `complaints` tells.
        """
        read = [account for account in self.files if account.was_read]
        hands = sum(account.hands_stored for account in read)
        matches = sum(account.matches for account in read)
        seen = sum(account.lines_seen for account in read)
        unknown = sum(account.lines_unknown for account in read)
        left_out = _left_out(read)
        size = sum(account.size for account in read) / 1e6
        files, lines = _count(len(read), "file"), _count(seen, "line")
        said = [
            f"read      {files}, {size:.1f} MB, {lines}, {unknown:,} of them unknown",
            f"stored    {_count(hands, 'hand')} of {_count(matches, 'match', 'es')}, {left_out or '0 left out'}",
            f"store     {self.store}",
        ]
        if self.replaced:
            matches, hands = (self.replaced[name] for name in ("matches", "hands"))
            said.append(
                f"replaced  {_count(hands, 'hand')} of {_count(matches, 'match', 'es')} by longer versions"
            )
        if self.copies:
            hands = sum(copy.hands for copy in self.copies)
            said.append(f"copies    {_count(hands, 'hand')} taken out that are parts of other logs")
            said += [f"  copy      {c.path}: {c.said}" for c in self.copies[:_SHOWN]]
        if self.unchanged:
            said.append(
                f"unchanged {_count(len(self.unchanged), 'file')} already in the store"
                f"{_KEPT * self.overruled}"
            )
        if self.verdicts:
            said.append("verdicts  " + ", ".join(f"{n:,} {word}" for word, n in self.verdicts.most_common()))
        if self.deviations:
            said.append(
                "deviations " + ", ".join(f"{n:,} {name}" for name, n in self.deviations.most_common())
            )
        fits = sum((account.fits for account in read), Counter[str]())
        said += [
            f"unsure    {_count(count, 'match', 'es')} {UNSURE.format(game)} (--game decides, in a new store)"
            for game, count in fits.items()
        ]
        statuses = ", ".join(f"{n:,} {word}" for word, n in self._statuses().most_common())
        said.append(f"ledger    {statuses or 'nothing new'}")
        notable = [account for account in read if account.status != "ok"]
        said += [f"  {a.status:<9} {a.path}: {a.reason}" for a in notable[:_SHOWN]]
        if len(notable) > _SHOWN:
            said.append(f"  and {len(notable) - _SHOWN:,} more: {_ALL.format(quote(str(self.store)))}")
        return said

    def line(self) -> str:
        """The summary in one line."""
        stored = sum(account.hands_stored for account in self.files)
        left_out = _left_out(self.files)
        said = f"{_count(len(self.files), 'file')} read, {_count(stored, 'hand')} stored"
        if known := self.replaced["hands"]:
            said += f", {known:,} of them before"
        return said + (f", {left_out}" if left_out else "")

    def _statuses(self) -> Counter[str]:
        return Counter(account.status for account in self.files)


def _count(number: int, noun: str, plural: str = "s") -> str:
    return f"{number:,} {noun}{'' if number == 1 else plural}"


def _left_out(accounts: Sequence[Account]) -> str:
    """How many hands were read and not stored, in words; nothing where none was."""
    hands = sum(account.hands_rejected for account in accounts)
    known = sum(account.hands_known for account in accounts)
    if known == hands:
        return f"{hands:,} stored already" if hands else ""
    return f"{hands:,} left out" + (f", {known:,} of them stored already" if known else "")
