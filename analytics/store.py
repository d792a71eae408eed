"""Opening a store: one DuckDB connection that holds the relations and every answer as views.

Schema `stored` has the tables as they lie on disk; the relations of the contract (`sql/relations`) and the
answers (`sql/*.sql`) are views over them. Nothing is read before a query asks. DuckDB needs a millisecond to parse a
view, so the answers are made when a query first names them; it binds them then, and not each one as it is made.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import Final

import duckdb

from ..progress import Progress
from ..schema.columns import TABLES
from ..schema.words import FLAGS
from ..storage.locations import Folder, Place, nothing_in, place_of, reason
from ..storage.manifest import NotWritable, StoreError, read_manifest, sizes_of
from ..storage.reading import OpenFiles, overlay_of, with_names
from .parquet_views import GAMES, STORED, TRUTH, reader, stored_table, stored_tables
from .players import Player
from .settings import FileKind
from .views import Statistic, all_views, macros, seen_views, tally_macros, with_sources

_CATALOG: Final = frozenset(
    ("show", "pragma", "information_schema", "duckdb_views", "duckdb_tables", "duckdb_columns")
)
"""Words of queries that ask which views there are."""

_FLAG_BIT: Final = re.compile(r"\bflag_bit\('(\w+)'\)")
"""A flag named in a view: its bit stands there instead, for the macro has a case a flag, and DuckDB binds each."""

_SAID: Final = re.compile(
    # DuckDB takes what is quoted for a name here.
    r"""("[^"]*"|\b(?:from|join|table|describe|show|summarize)\s*'[^']*'|\bquery(?:_table)?\s*\(\s*'(?:[^']|'')*')"""
    r"""|\be'(?:\\.|''|[^'\\])*'|'(?:[^']|'')*'|\$(\w*)\$.*?\$\2\$|--[^\n]*|/\*.*?\*/""",
    re.DOTALL | re.IGNORECASE,
)
"""What of a query names no view: its texts and comments; and, as group 1, quoted names, which do."""

_PART: Final = re.compile(r"\.parquet['\"]|\bthe stream registered as 'parts ")
"""What names a part of a store in an error."""

EQUITIES: Final = "equities"

Watch = Callable[[], AbstractContextManager[Progress | None]]
"""Opens what shows the progress of long work: a function (done, total), or None."""


class Store:
    """An open store; `open_store` makes it.

    place       where it lies
    connection  the DuckDB connection, with every view (docs/schema.md, docs/statistics.md)
    viewer      whose matches it holds alone; None: all
    """

    def __init__(
        self,
        place: Place,
        connection: duckdb.DuckDBPyConnection,
        remote: dict[str, object],
        opened: OpenFiles,
        watch: "Watch" = nullcontext,
        viewer: Player | None = None,
        hides: bool = False,
    ) -> None:
        """A connection that has the stored tables and the macros, no views yet.

        remote  datasets by the names that the connection has them under; no other connection has them
        opened  the files that it reads
        hides   its tables lack what the viewer was not told
        """
        self.place = place
        self.viewer = viewer
        self._hides = hides
        self._remote = remote
        self._opened = opened
        self._watch = watch
        self._kept: Place | None = None
        self._connection = connection
        self._waiting = {view.name for view in all_views() if not (hides and view.unseen)}
        self._make({view.name for view in all_views() if view.relation})

    @property
    def path(self) -> Path:
        """Its folder; StoreError where it lies in a bucket."""
        if not isinstance(self.place, Folder):
            raise StoreError(f"{self.place} is not a folder")
        return self.place.root

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The DuckDB connection, with every view."""
        self._make(self._waiting)
        return self._connection

    def cursor(self, query: str) -> duckdb.DuckDBPyConnection:
        """Another connection with the views that a query names, for a result that is read while others are asked."""
        self._make_for(query)
        cursor = self._connection.cursor()
        for name, dataset in self._remote.items():
            cursor.register(name, dataset)
        return cursor

    def sql(self, query: str, **params: object) -> duckdb.DuckDBPyRelation:
        """The relation of a query, whose `$name` stand for params; duckdb.Error where it is wrong.

        `.pl()` makes it a Polars frame, `.fetchall()` a list of rows.
        """
        self._make_for(query)
        found = self._connection.sql(query, params=params or None)
        # A statement without a result, such as `set threads = 1`.
        return self._connection.sql("select where false") if found is None else found

    def execute(self, query: str, **params: object) -> duckdb.DuckDBPyConnection:
        """The connection with a query's result, to be fetched before the next query; duckdb.Error where it is wrong.

        DuckDB plans the query once; that of a relation is planned when it is made and again when it is fetched.
        """
        self._make_for(query)
        return self._connection.execute(query, params or None)

    def bind(self, query: str) -> None:
        """Bind the views that a query names, each by itself; duckdb.Error where one of railbird's own is wrong."""
        for view in with_sources(_words(query)):
            self._connection.execute(f"describe {view.name}")

    def keep(self, name: str, condition: str, /, **params: object) -> None:
        """Make a view's rows that fulfil a condition a table of its name, which every later view and query reads.

        For many queries about a few rows. ValueError where a query has named the view before.
        """
        if name not in self._waiting:
            raise ValueError(f"the view {name} has been made")
        view = next(view for view in all_views() if view.name == name)
        self._make_for(view.query)
        self._connection.execute(
            f"create table {name} as select * from ({view.query}) where {condition}", params or None
        )
        self._waiting.discard(name)

    def count_equities(self) -> None:
        """Count the equities that the store lacks and keep them, as `sql` does where a query needs them.

        Through `connection` they are only seen once this was called. Where the store cannot be written they lie
        beside it, as long as this process runs.
        """
        if self._kept is not None:
            return
        if self.viewer:
            # Of every match, and with all cards: this store lacks most of both.
            with _open(self.place, self._watch) as whole:
                self._kept = whole._count()
        else:
            self._kept = self._count()
        fresh: dict[str, object] = {}
        schema = TRUTH if self.viewer else STORED
        read, manifest = reader(self._kept, fresh, self._opened), read_manifest(self._kept)
        views = [stored_table(read, manifest, table, schema) for table in (EQUITIES, "counted")]
        for name, dataset in fresh.items():
            self._connection.register(name, dataset)
        self._remote.update(fresh)
        self._connection.execute(";\n".join(views))

    def _count(self) -> Place:
        """Where the equities of all its matches lie; those that were missing are counted."""
        from .equities import ensure

        with self._watch() as progress:
            try:
                ensure(self, self.place, progress)
                return self.place
            except NotWritable:
                kept = overlay_of(self.place)
                ensure(self, kept, progress)
                return kept

    def _make_for(self, query: str) -> None:
        """The views that a query names, and what they need."""
        words = _words(query)
        asks_for_all = words & _CATALOG or words == {"describe"}
        # A view too many costs little; equities take long, and are kept.
        named = _words(_SAID.sub(lambda found: found[1] or " ", query))
        views = with_sources(named)
        if self._hides and (absent := next((view for view in views if view.unseen), None)):
            raise StoreError(f"{absent.name} does not exist in a store as a player saw it: {absent.unseen}")
        if not asks_for_all and EQUITIES in {view.name for view in views}:
            self.count_equities()
        self._make(self._waiting if asks_for_all else words & self._waiting)

    def _make(self, names: set[str]) -> None:
        made = [view for view in with_sources(names) if view.name in self._waiting]
        if made:
            self._connection.execute(
                ";\n".join(
                    f"create view {view.name} with (defer_binding) as\n{_FLAG_BIT.sub(_bit, view.query)}"
                    for view in made
                )
            )
            self._waiting.difference_update(view.name for view in made)

    def export(self, folder: str | Path, to: str = "parquet", progress: Progress | None = None) -> list[Path]:
        """Write each relation whole into a file of a new folder, as `parquet` or `csv` (docs/export.md).

        Counts the equities that the store lacks. Returns the files; StoreError where the folder is not empty or cannot
        be written, ValueError for another kind of file.
        """
        from .exporting import export

        return export(self, Path(folder), FileKind(to), progress)

    def as_seen_by(self, viewer: Player) -> "Store":
        """The store as a player saw it: that player's matches, and of their cards what the player was told.

        Every view is there, over what sql/seen leaves of the tables (docs/visibility.md), but those that would be wrong
        there: a query of such a one is a StoreError, which says why. Schema `truth` has the tables as they lie on disk.
        Close it like any other.
        """
        return _open(self.place, self._watch, viewer, {view.name: view.query for view in seen_views()})

    def matches_of(self, viewer: Player) -> "Store":
        """The matches of a player alone, nothing hidden: what `as_seen_by` is to be compared with."""
        return _open(self.place, self._watch, viewer)

    def close(self) -> None:
        """Close the connection; its relations can no longer be used."""
        self._connection.close()
        self._opened.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def open_store(store: str | Path | Place, watch: Watch = nullcontext) -> Store:
    """Open the store of a folder or of s3://bucket/path; StoreError, one line, where there is none to be read.

    watch  shows the progress of counting equities, where a query is the first to need them
    """
    place = place_of(store)
    if isinstance(place, Folder) and place.root.exists() and not place.root.is_dir():
        raise StoreError(f"{place} is not a folder")
    return _open(place, watch)


def unreadable(place: Place, error: duckdb.Error) -> StoreError | None:
    """What the error of a query says of the store or the machine; None where the query itself is wrong."""
    if isinstance(error, duckdb.IOException | duckdb.OutOfMemoryException):
        return StoreError(with_names(str(error)))
    # What its reader of Parquet cannot decode is an error of no class, or names the part or the dataset.
    if type(error) is duckdb.Error or (
        isinstance(error, duckdb.InvalidInputException) and _PART.search(with_names(str(error)))
    ):
        return StoreError(f"{place} cannot be read: {with_names(str(error))}")
    return None


def _open(
    place: Place, watch: Watch, viewer: Player | None = None, hidden: Mapping[str, str] = MappingProxyType({})
) -> Store:
    """A store; of a viewer's matches alone, each table by the query of `hidden` where it has one."""
    manifest = read_manifest(place)
    if not manifest.batches:
        raise nothing_in(place)
    sizes_of(place, manifest)
    connection = duckdb.connect(
        config={"autoinstall_known_extensions": False, "python_enable_replacements": False}
    )
    try:
        # DuckDB draws a bar on standard output when a query takes seconds, whoever reads it.
        connection.execute("set enable_progress_bar = false")
        remote: dict[str, object] = {}
        opened = OpenFiles()
        stored = stored_tables(reader(place, remote, opened), manifest, TRUTH if viewer else STORED)
        for name, dataset in remote.items():
            connection.register(name, dataset)
        if viewer:
            # Rules are public, and macros ask for them.
            stored += [f"create schema {STORED}", f"create view {STORED}.{GAMES} as from {TRUTH}.{GAMES}"]
        connection.execute(";\n".join([*stored, *macros()]))
        connection.execute(";\n".join(tally_macros(_statistics(connection))))
        if viewer:
            _keep_matches_of(connection, viewer, hidden)
        return Store(place, connection, remote, opened, watch, viewer, bool(hidden))
    except duckdb.Error as error:
        connection.close()
        raise StoreError(f"{place} cannot be read: {with_names(str(error)).splitlines()[0]}") from None
    except OSError as error:
        connection.close()
        raise StoreError(f"{place} cannot be read: {reason(error)}") from None


def _keep_matches_of(
    connection: duckdb.DuckDBPyConnection, viewer: Player, hidden: Mapping[str, str]
) -> None:
    """Schema `stored` over `truth`: the matches that a player sat in, and which seat was his."""
    connection.execute(
        """
        create table truth.viewer as
        select match_id, cast(seat as tinyint) as seat
        from (
          select m.match_id, m.event, m.game, m.players, m.seating, g.seats_rotate,
            unnest(range(len(m.players))) as seat
          from truth.matches as m
          join truth.games as g on g.game = m.game
        )
        where event = $event and game = $game and players[seat + 1] = $name
          and namesake_seat_of(seats_rotate, players, seat, seating) is not distinct from $seat
        """,
        {"event": viewer.event, "game": viewer.game, "name": viewer.name, "seat": viewer.seat},
    )
    made = []
    for table, columns in TABLES.items():
        if table == GAMES:
            continue
        query = f"select t.* from {TRUTH}.{table} as t"
        if any(column.name == "match_id" for column in columns):
            query += f" join {TRUTH}.viewer as v on v.match_id = t.match_id"
        made.append(f"create view {STORED}.{table} with (defer_binding) as\n{hidden.get(table, query)}")
    connection.execute(";\n".join(made))


def _words(query: str) -> set[str]:
    return set(re.findall(r"\w+", query.lower()))


def _bit(flag: re.Match[str]) -> str:
    return f"{1 << FLAGS.index(flag[1])}::ubigint"


def _statistics(connection: duckdb.DuckDBPyConnection) -> list[Statistic]:
    (listed,) = (view.query for view in all_views() if view.name == "statistics")
    found = connection.execute(
        f"select statistic, opportunity_flag, success_flag from ({listed}) order by place"
    )
    return [(name, chance, success) for name, chance, success in found.fetchall()]
