"""Publishing: one commit makes visible what an ingest staged, and removes what it replaces.

An older batch that changes is rewritten: without the matches that a longer version of their log replaces, without
hands that are copies, and with corrected rows of `files`. `Summary` is the text that an ingest prints at its end.
"""

import os
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from shlex import quote
from types import MappingProxyType
from typing import Any, Final

import pyarrow as pa
import pyarrow.parquet as pq

from ..schema.columns import TABLES
from ..variants.properties import Properties, by_name, games_table
from .copies import Copy, Lying, find_copies
from .index import Index, StoredMatch
from .ledger import REPLACED, UNSURE, Account, Unknown, files_table, left_out, take_back, unknown_table
from .locations import Folder, Place
from .manifest import Batch, commit, read_manifest, readable
from .tags import TAGS, Tags, added_rows
from .writer import BatchWriter, rows_in

Change = Callable[[pa.Table], pa.Table]

OF_MATCHES: Final = tuple(
    table
    for table, columns in TABLES.items()
    if table != TAGS and any(column.name == "match_id" for column in columns)
)
"""Tables whose rows each belong to a match and lie in its batch."""
_KEPT: Final = ", kept as read before: options that say how to read logs apply only to files not stored yet"
_SHOWN: Final = 12
"""So many lines of one kind are printed; of more complaints of one folder and cause, the first one and a count."""
_ALL: Final = """railbird sql --store {} "select path, status, reason from files where status <> 'ok'\""""


def publish(
    place: Place,
    folder: Path,
    index: Index,
    staged: Sequence[Batch],
    accounts: Iterable[Account],
    replaced: Sequence[StoredMatch],
    stale: Sequence[int],
    revised: Collection[int] = (),
    brought: Sequence[Batch] = (),
    claimed: Sequence[StoredMatch] = (),
    tags: Tags = MappingProxyType({}),
    tagged: Collection[int] = (),
) -> list[Copy]:
    """Commit staged batches, the ledger of their files, and the changes they require in older batches.

    replaced  stored matches whose longer versions are in the staged batches
    stale     files that were read again: their old ledger entries are removed
    revised   files of which more was read: their accounts replace their rows
    brought   staged batches whose parts are in the store already
    claimed   the matches of the staged batches
    tags      what the user says of them, and of the stored matches `tagged`, by match_id
    Returns the copies of parts of other matches, new or stored; the same commit removes them.
    """
    known = {account.file_id: account for account in accounts}
    live = read_manifest(place).batches
    lying = [*((Folder(folder), batch) for batch in staged), *((place, batch) for batch in brought)]
    copies = find_copies(index, claimed, live, place, lying)
    stored = [copy for copy in copies if copy.match.batch]
    staged, brought = list(staged), list(brought)
    ledger = BatchWriter(folder)
    if copies:
        _name_files(copies, known, place, index, live)
        own = {copy.match.match_id for copy in copies} - {copy.match.match_id for copy in stored}
        staged, brought = _without_copies(
            folder, lying, [copy for copy in copies if copy.match.match_id in own], brought
        )
        for copy in copies:
            if copy.match.match_id in own or copy.match.file_id in revised:
                account = known[copy.match.file_id]
                account.lose(copy.hands, copy.verdicts["damaged"], copy.reason, int(not copy.kept))
        ledger.add("unknown_lines", unknown_table(map(_copy_line, copies)))
    ledger.add("files", files_table(known.values()))
    copied = {copy.match.match_id for copy in copies if not copy.kept}
    new = [match for match in claimed if match.match_id not in copied]
    saying = {*tagged, *(match.match_id for match in new)} if tags else ()
    ledger.add(TAGS, added_rows(place, live, tags, saying, new, replaced))
    games, outdated = _new_games(place, live, known.values())
    ledger.add("games", games_table(games))
    batches = staged
    dropped: list[str] = []
    if replaced or stale or revised or stored or outdated:
        again = set(stale)
        longer = [match for match in replaced if match.file_id not in again]
        ledger.add("unknown_lines", unknown_table(_replaced_line(place, match) for match in longer))
        changes = _changes(place, index, replaced, stale, revised, stored)
        for name, of_games in outdated.items():
            changes.drop_rows(name, "games", "game", pa.array(of_games, pa.string()))
        for batch in live:
            if batch.name in changes.by_batch:
                batches += changes.rewritten(place, batch, folder)
        dropped = list(changes.by_batch)
    batches += filter(None, [ledger.close()])
    there = [(None, batch) for batch in brought]
    commit(place, [*there, *((folder, batch) for batch in batches)], drop=dropped)
    index.forget(dropped)
    return copies


def _new_games(
    place: Place, live: Sequence[Batch], accounts: Iterable[Account]
) -> tuple[list[Properties], dict[str, list[str]]]:
    """The games of some files that have no row in the store, or a row with less detail; and the latter by batch."""
    games = by_name(game for account in accounts for game in account.games.values())
    outdated: dict[str, list[str]] = {}
    parts = ((batch.name, part) for batch in live for part in batch.of("games"))
    for name, part in parts if games else ():
        with readable(place, part), pq.ParquetFile(place.open(part.name)) as file:
            for row in file.read().to_pylist():
                stored = Properties(**row)
                if stored.game in games and games[stored.game].known > stored.known:
                    outdated.setdefault(name, []).append(stored.game)
                else:
                    games.pop(stored.game, None)
    return list(games.values()), outdated


def _without_copies(
    folder: Path, lying: Lying, copies: Sequence[Copy], brought: Sequence[Batch]
) -> tuple[list[Batch], list[Batch]]:
    """Staged and brought batches without copies; a batch that held any is rewritten and staged."""

    ids = {copy.match.match_id for copy in copies}
    there = {batch.name for batch in brought}
    kept: tuple[list[Batch], list[Batch]] = [], []
    for place, batch in lying:
        held = ids_in(place, batch, "matches", "match_id") & ids
        if not held:
            kept[batch.name in there].append(batch)
            continue
        changes = Changes()
        changes.take_out(batch.name, [copy for copy in copies if copy.match.match_id in held])
        kept[0].extend(changes.rewritten(place, batch, folder))
    return kept


def ids_in(place: Place, batch: Batch, table: str, column: str) -> set[int]:
    """The different values of a column in a batch."""
    found: set[int] = set()
    for part in batch.of(table):
        with readable(place, part), pq.ParquetFile(place.open(part.name)) as file:
            found.update(file.read([column])[column].unique().to_pylist())
    return found


def _name_files(
    copies: Sequence[Copy], known: Mapping[int, Account], place: Place, index: Index, live: Sequence[Batch]
) -> None:
    """Fill in the paths of the copies' files, and of the files that hold the same hands."""
    paths = {file_id: account.path for file_id, account in known.items()}
    asked = {file_id for copy in copies for file_id in (copy.match.file_id, copy.holder)} - paths.keys()
    homes = {file.batch for file_id in asked if (file := index.file(file_id))}
    for batch in live:
        for part in batch.of("files") if batch.name in homes else ():
            with readable(place, part), pq.ParquetFile(place.open(part.name)) as file:
                rows = file.read(["file_id", "path"])
            found = dict(zip(rows["file_id"].to_pylist(), rows["path"].to_pylist(), strict=True))
            paths |= {file_id: found[file_id] for file_id in asked & found.keys()}
    for copy in copies:
        # A writer killed between two commits may leave a match whose file has no row.
        copy.path, copy.holder_path = (paths.get(f, "another log") for f in (copy.match.file_id, copy.holder))


def _copy_line(copy: Copy) -> Unknown:
    """The ledger's line about a copy."""
    return Unknown(copy.match.file_id, copy.line, "", copy.said)


class Changes:
    """Changes of the tables of some batches. by_batch: for each batch and table, functions from rows to rows."""

    def __init__(self) -> None:
        self.by_batch: dict[str, dict[str, list[Change]]] = {}
        self._added: dict[str, list[tuple[str, pa.Table]]] = {}

    def add(self, batch: str, table: str, change: Change) -> None:
        """Change the rows of a table of a batch."""
        self.by_batch.setdefault(batch, {}).setdefault(table, []).append(change)

    def add_rows(self, batch: str, table: str, rows: pa.Table) -> None:
        """Add rows to a table of a batch, after those that stay."""
        self.by_batch.setdefault(batch, {})
        self._added.setdefault(batch, []).append((table, rows))

    def drop_rows(self, batch: str, table: str, column: str, values: pa.Array) -> None:
        """Remove the rows whose column has one of the values."""
        self.add(batch, table, partial(_without, column=column, values=values))

    def take_out(self, batch: str, copies: Sequence[Copy]) -> None:
        """Remove the hands of copies in a batch; the row of `matches` of one stays if some of its hands do."""
        for table in OF_MATCHES:
            # Equities of a shortened match are computed again.
            is_anew = table in ("equities", "counted")
            gone = [copy.match.match_id for copy in copies if is_anew or not copy.kept]
            if gone:
                self.drop_rows(batch, table, "match_id", pa.array(gone, pa.uint64()))
            change = _shortened if table == "matches" else _without_end
            for copy in copies:
                if copy.kept and not is_anew:
                    self.add(batch, table, partial(change, match_id=copy.match.match_id, hands=copy.kept))

    def rewritten(self, place: Place, batch: Batch, folder: Path) -> list[Batch]:
        """A batch after its changes, staged in a folder; none if it is empty then."""
        writer = BatchWriter(folder)
        for part in batch.parts:
            for rows in rows_in(place, part):
                for change in self.by_batch[batch.name].get(part.table, ()):
                    rows = change(rows)
                writer.add(part.table, rows)
        for table, rows in self._added.get(batch.name, ()):
            writer.add(table, rows)
        return [*filter(None, [writer.close()])]


def _changes(
    place: Place,
    index: Index,
    replaced: Sequence[StoredMatch],
    stale: Sequence[int],
    revised: Collection[int],
    copies: Sequence[Copy],
) -> Changes:
    """The changes for replaced matches, outdated files' rows and stored copies; parameters as for `publish`."""
    found = Changes()
    again = set(stale).union(revised)

    def amend_file(match: StoredMatch, hands: int, damaged: int, **more: Any) -> None:
        home = index.file(match.file_id)
        # A writer killed between two commits may leave a match whose file has no row.
        if home is not None and match.file_id not in again:
            change = partial(take_back, file_id=match.file_id, hands=hands, damaged=damaged, **more)
            found.add(home.batch, "files", change)

    in_batch: dict[str, list[Copy]] = {}
    for copy in copies:
        in_batch.setdefault(copy.match.batch, []).append(copy)
        damaged = copy.verdicts["damaged"]
        amend_file(copy.match, copy.hands, damaged, why=copy.reason, matches=int(not copy.kept))
    for name, some in in_batch.items():
        found.take_out(name, some)
    matches: dict[str, list[int]] = {}
    for match in replaced:
        matches.setdefault(match.batch, []).append(match.match_id)
        if match.file_id not in again:
            amend_file(match, match.hands, damaged_hands(place, match))
    for batch, ids in matches.items():
        for table in OF_MATCHES:
            found.drop_rows(batch, table, "match_id", pa.array(ids, pa.uint64()))
    files: dict[str, list[int]] = {}
    for file_id in again:
        files.setdefault(home_of(index, file_id), []).append(file_id)
    for batch, ids in files.items():
        found.drop_rows(batch, "files", "file_id", pa.array(ids, pa.uint64()))
    for live in read_manifest(place).batches if stale else ():
        if ids := sorted(ids_in(place, live, "unknown_lines", "file_id").intersection(stale)):
            found.drop_rows(live.name, "unknown_lines", "file_id", pa.array(ids, pa.uint64()))
    return found


def _shortened(rows: pa.Table, match_id: int, hands: int) -> pa.Table:
    """`matches` rows in which one match has fewer hands."""
    import pyarrow.compute as pc

    at = rows.column_names.index("hands")
    field = rows.schema.field(at)
    fewer = pc.if_else(_has(rows, match_id), pa.scalar(hands, field.type), rows["hands"])
    return rows.set_column(at, field, fewer)


def _without_end(rows: pa.Table, match_id: int, hands: int) -> pa.Table:
    """The rows of a table without those of a match's hands from number `hands` on."""
    import pyarrow.compute as pc

    end = pc.fill_null(pc.greater_equal(rows["hand_index"], hands), fill_value=False)
    return rows.filter(pc.invert(pc.and_(_has(rows, match_id), end)))


def _has(rows: pa.Table, match_id: int) -> pa.ChunkedArray:
    """True for the rows of a match, false for null."""
    import pyarrow.compute as pc

    return pc.fill_null(pc.equal(rows["match_id"], pa.scalar(match_id, pa.uint64())), fill_value=False)


def home_of(index: Index, file_id: int) -> str:
    """The batch that holds the row of a stored file."""
    file = index.file(file_id)
    assert file is not None
    return file.batch


def rows_of(place: Place, match: StoredMatch, table: str, columns: Sequence[str]) -> list[dict[str, Any]]:
    """Some columns of a stored match's rows, in their order."""
    import pyarrow.compute as pc

    batch = next(batch for batch in read_manifest(place).batches if batch.name == match.batch)
    rows: list[dict[str, Any]] = []
    for part in batch.of(table):
        with readable(place, part):
            found = pq.read_table(
                place.open(part.name),
                columns=list(columns),
                filters=pc.field("match_id") == pa.scalar(match.match_id, pa.uint64()),
                partitioning=None,
            )
            rows += found.to_pylist()
    return rows


def _replaced_line(place: Place, match: StoredMatch) -> Unknown:
    """The ledger's line about a match that is replaced."""
    line = rows_of(place, match, "matches", ["line"])[0]["line"]
    return Unknown(match.file_id, line, "", left_out(match.hands, REPLACED))


def _without(rows: pa.Table, column: str, values: pa.Array) -> pa.Table:
    import pyarrow.compute as pc

    return rows.filter(pc.invert(pc.is_in(rows[column], values)))


def damaged_hands(place: Place, match: StoredMatch) -> int:
    """The number of damaged hands of a stored match."""
    return sum(row["verdict"] == "damaged" for row in rows_of(place, match, "hands", ["verdict"]))


@dataclass(frozen=True)
class Mended:
    """The result of a repair: the damaged parts, the logs to be read again, and whether notes of bots' logs were lost.

    gone: matches that it took out and whose logs nothing names, by id; None if not even their ids are left
    """

    parts: list[str] = field(default_factory=list)
    logs: int = 0
    notes: bool = False
    gone: frozenset[int] | None = frozenset()

    @property
    def line(self) -> str:
        """The message for an ingest's summary."""
        parts = f"{len(self.parts)} damaged part{'s' * (len(self.parts) != 1)}"
        logs = f", {self.logs} log{'s' * (self.logs != 1)} read again" if self.logs else ""
        notes = "; --join the bots' own logs again" if self.notes else ""
        return f"{parts}{logs}{notes}"


@dataclass
class Summary:
    """The summary of an ingest.

    files       the accounts of all files that were read to their end, rejected ones included
    unchanged   paths of files that the store had already
    repeated    paths of inputs with the content of an input before them
    complaints  one line for every input that could not be read: path, line, reason
    verdicts, deviations  stored hands by verdict and by deviation
    replaced    "matches", and their "hands", that were stored before and were replaced by longer versions
    overruled   options that say how to read were given for unchanged files
    held        the store had some of the input before
    unread      paths of files that the system refused to read now; it may not next time
    copies      copies of parts of other matches that were in the store before
    definition  the name of the ACPC definition that the user gave
    repaired    what a repair of the store did; None if nothing was damaged
    """

    store: Place | str
    files: list[Account] = field(default_factory=list)
    unchanged: list[str] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    verdicts: Counter[str] = field(default_factory=Counter)
    deviations: Counter[str] = field(default_factory=Counter)
    replaced: Counter[str] = field(default_factory=Counter)
    overruled: bool = False
    held: bool = False
    unread: list[str] = field(default_factory=list)
    copies: list[Copy] = field(default_factory=list)
    definition: str = ""
    repaired: Mended | None = None

    def complain_once(self, line: str) -> None:
        """Add a complaint that may be there already."""
        if line not in self.complaints:
            self.complaints.append(line)

    def add_copies(self, copies: Iterable[Copy], unfinished: Collection[int] = ()) -> None:
        """Count copies that were removed: those in the store before, and those counted as stored by this ingest.

        unfinished: files of which this ingest has committed a part
        """
        for copy in copies:
            if copy.match.batch and copy.match.file_id not in unfinished:
                self.copies.append(copy)
            else:
                self.verdicts -= copy.verdicts
                self.deviations -= copy.deviations

    def add_replaced(self, matches: Iterable[StoredMatch], stale: Iterable[int]) -> None:
        """Count matches that longer versions replace, except those of files that were only read again."""
        again = set(stale)
        for match in matches:
            if match.file_id not in again:
                self.replaced.update(matches=1, hands=match.hands)

    def few_complaints(self, rest: str = "") -> list[str]:
        """The complaints; where one folder has many files with one cause, the first of them and how many follow.

        rest: where to find the others; empty: by a query of the store
        """
        by_line = {account.complaint: account for account in self.files if account.problem}
        kinds: dict[tuple[str, ...], list[str]] = {}
        for line in self.complaints:
            account = by_line.get(line)
            kind = (line,) if account is None else (os.path.dirname(account.path), account.cause)
            kinds.setdefault(kind, []).append(line)
        counts = {
            lines[0]: f"and {len(lines) - 1:,} more in {kind[0] or os.curdir} for the same reason"
            for kind, lines in kinds.items()
            if len(lines) > _SHOWN
        }
        others = {line for lines in kinds.values() if len(lines) > _SHOWN for line in lines[1:]}
        said = []
        for line in self.complaints:
            if line in counts:
                said += [line, f"{counts[line]}{rest or f': {_ALL.format(quote(str(self.store)))}'}"]
            elif line not in others:
                said.append(line)
        return said

    @property
    def nothing_read(self) -> bool:
        """True if no input could be read and the store had none of it."""
        return not self.held and not any(account.was_read for account in self.files)

    @property
    def nothing_stored(self) -> bool:
        """True if no hand was stored, and the store had none of the input before."""
        return not self.held and not any(
            account.hands_stored or account.hands_known for account in self.files
        )

    @property
    def warning(self) -> str:
        """A warning that no hand can be played by the user's definition; empty if some can."""
        count = self.verdicts["unverified"]
        if not self.definition or not count or set(+self.verdicts) - {"unverified", "damaged"}:
            return ""
        return f"no hand can be played by --game-def {self.definition}: {_count(count, 'hand')} cannot be verified"

    def lines(self) -> list[str]:
        """The summary and the ledger as text: what was read, the verdicts, and the files that are not ok.

        Unreadable files are in `complaints`.
        """
        read = [account for account in self.files if account.was_read]
        hands = sum(account.hands_stored for account in read)
        matches = sum(account.matches for account in read)
        seen = sum(account.lines_seen for account in read)
        unknown = sum(account.lines_unknown for account in read)
        left_out = _not_stored(read)
        size = sum(account.size for account in read) / 1e6
        files, lines = _count(len(read), "file"), _count(seen, "line")
        said = [f"warning   {self.warning}"] if self.warning else []
        said += [
            f"read      {files}, {size:.1f} MB, {lines}, {unknown:,} of them unknown",
            f"stored    {_count(hands, 'hand')} of {_count(matches, 'match', 'es')}, {left_out or '0 left out'}",
            f"store     {self.store}",
        ]
        if self.repaired:
            said.append(f"repaired  {self.repaired.line}")
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
        if self.repeated:
            said.append(f"repeated  {_count(len(self.repeated), 'input')} with the content of another")
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
        notable = _grouped([account for account in read if account.status != "ok"])
        for account, *others in notable[:_SHOWN]:
            more = f" and {len(others):,} more of its folder" if others else ""
            said.append(f"  {account.status:<9} {account.path}{more}: {account.reason}")
        if left := sum(map(len, notable[_SHOWN:])):
            said.append(f"  and {left:,} more: {_ALL.format(quote(str(self.store)))}")
        return said

    def line(self) -> str:
        """The summary in one line."""
        stored = sum(account.hands_stored for account in self.files)
        left_out = _not_stored(self.files)
        said = f"{_count(len(self.files), 'file')} read, {_count(stored, 'hand')} stored"
        if known := self.replaced["hands"]:
            said += f", {known:,} of them before"
        return said + (f", {left_out}" if left_out else "")

    def _statuses(self) -> Counter[str]:
        return Counter(account.status for account in self.files)


def _grouped(accounts: Iterable[Account]) -> list[list[Account]]:
    """Files in the order of the first of each group: sidecars of a folder with the same reason are one group."""
    groups: dict[tuple[str, ...], list[Account]] = {}
    for account in accounts:
        is_sidecar = account.status == "sidecar"
        key = (account.reason, os.path.dirname(account.path)) if is_sidecar else (str(account.file_id),)
        groups.setdefault(key, []).append(account)
    return [*groups.values()]


def _count(number: int, noun: str, plural: str = "s") -> str:
    return f"{number:,} {noun}{'' if number == 1 else plural}"


def _not_stored(accounts: Sequence[Account]) -> str:
    """The number of hands read and not stored, in words; empty if there were none."""
    hands = sum(account.hands_rejected for account in accounts)
    known = sum(account.hands_known for account in accounts)
    if known == hands:
        return f"{hands:,} stored already" if hands else ""
    return f"{hands:,} left out" + (f", {known:,} of them stored already" if known else "")
