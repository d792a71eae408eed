"""Opening a store: one DuckDB connection that holds the relations and every answer as views.

Schema `stored` has the tables as they lie on disk; the relations of the contract (`sql/relations`) and the answers
(`sql/*.sql`) are views over them, some of them tables (`views.TABLES_OF`). Nothing is read before a query asks. DuckDB
needs a millisecond to parse a view or some macros, so these are made when a query first names them; it binds views
then, and not each one as it is made.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import cached_property
from pathlib import Path
from types import MappingProxyType, TracebackType
from typing import TYPE_CHECKING, Final
from weakref import finalize

import duckdb

from ..parsers.sources import WishError
from ..progress import Progress
from ..schema.columns import TABLES
from ..schema.words import FLAGS
from ..storage.integrity import first_fault, obvious
from ..storage.locations import Folder, Place, nothing_in, place_of, reason
from ..storage.manifest import Manifest, NotWritable, StoreError, damaged, read_manifest, sizes_of
from ..storage.reading import OpenFiles, overlay_of, with_names
from .naming import RENAMED, WIDENED, Columns, Naming, apply, with_columns
from .parquet_views import GAMES, STORED, TRUTH, reader, selected, stored_table, stored_tables
from .players import Player, matches_in_order, matches_played, matches_up_to
from .settings import FileKind
from .views import (
    SMALL,
    TALLIES,
    Statistic,
    View,
    all_views,
    macros,
    named_macros,
    seen_views,
    spectator_views,
    tally_macros,
    with_sources,
    words_of,
)

if TYPE_CHECKING:
    from .exported_hands import Written

_CATALOG: Final = frozenset(
    (
        *("show", "pragma", "information_schema", "duckdb_views", "duckdb_tables", "duckdb_columns"),
        *("duckdb_functions", "sqlite_master", "pg_catalog"),
    )
)
"""Words of queries that list views or macros."""

_MADE_NAME: Final = re.compile(r"\bquery(?:_table)?\s*\(", re.IGNORECASE)
"""What follows may make a name out of parts, which are no words of the query."""

_FLAG_BIT: Final = re.compile(r"\bflag_bit\('(\w+)'\)")
"""A flag in the SQL of a view, replaced by its bit: DuckDB would bind every case of the macro for each use."""

_SAID: Final = re.compile(
    # DuckDB reads quoted text as a name here.
    r"""("[^"]*"|\b(?:from|join|table|describe|show|summarize)\s*'[^']*'|\bquery(?:_table)?\s*\(\s*'(?:[^']|'')*')"""
    r"""|\be'(?:\\.|''|[^'\\])*'|'(?:[^']|'')*'|\$(\w*)\$.*?\$\2\$|--[^\n]*|/\*.*?\*/""",
    re.DOTALL | re.IGNORECASE,
)
"""Texts and comments of a query, which name no views; group 1 matches quoted names, which do."""

_FEW_ACTIONS: Final = 150_000
"""Actions of a small store. With 144,000, of 17,000 hands of Bounty, all its tables take 88 MB and 3 s of processor
time; a query needs a few of them.
"""
_OPENED_AGAIN: Final = 5
_PART: Final = re.compile(r"\.parquet['\"]|\bthe stream registered as 'parts ")
"""A part of a store in the text of an error."""

EQUITIES: Final = "equities"

Watch = Callable[[], AbstractContextManager[Progress | None]]
"""A context that shows the progress of long work: it gives a function (done, total), or None."""


SPECTATOR: Final = Player("", "", "")
"""Somebody who is at every table and in no seat."""
AS_LOGGED: Final = Naming()
NO_COLUMNS: Final = Columns()


class Store:
    """An open store; `open_store` makes it.

    place       its location
    connection  the DuckDB connection, with every view (docs/schema.md, docs/statistics.md)
    viewer      the player whose matches it is limited to; None: all matches; SPECTATOR: all, as a spectator saw them
    is_kept     false for a store that goes when the command ends, made of a folder of logs
    """

    def __init__(
        self,
        place: Place,
        connection: duckdb.DuckDBPyConnection,
        macros: "Macros",
        remote: dict[str, object],
        opened: OpenFiles,
        watch: "Watch" = nullcontext,
        viewer: Player | None = None,
        hidden: Mapping[str, str] = MappingProxyType({}),
        naming: Naming = AS_LOGGED,
        columns: Columns = NO_COLUMNS,
        until: Sequence[int] | None = None,
    ) -> None:
        """A connection with the stored tables, without views and macros.

        remote  datasets by the names registered in this connection alone
        opened  the files that it reads
        hidden  the queries of tables that lack what the viewer was not shown
        naming  the user's wishes for names, which these tables follow; columns: of names and tags
        until   the matches that its tables are limited to; None for all
        """
        self.naming = naming
        self._columns = columns
        self.place = place
        self.is_kept = True
        self.viewer = viewer
        self._hidden = hidden
        self._until = until
        self._remote = remote
        self._opened = opened
        self._watch = watch
        self._kept: Place | None = None
        self._connection = connection
        self._waiting = {view.name for view in all_views() if not (hidden and view.unseen)}
        self._macros = macros
        self._held: dict[str, bool] = {}

    @property
    def path(self) -> Path:
        """Its folder; StoreError if it is in a bucket."""
        if not isinstance(self.place, Folder):
            raise StoreError(f"{self.place} is not a folder")
        return self.place.root

    @property
    def connection(self) -> duckdb.DuckDBPyConnection:
        """The DuckDB connection, with every view and macro."""
        self._make(self._waiting, quickly=True)
        self._macros.make_all()
        return self._connection

    def cursor(self, query: str) -> duckdb.DuckDBPyConnection:
        """Another connection with the views that a query names, to read a result while other queries run."""
        self._make_for(query)
        cursor = self._connection.cursor()
        for name, dataset in self._remote.items():
            cursor.register(name, dataset)
        return cursor

    def sql(self, query: str, **params: object) -> duckdb.DuckDBPyRelation:
        """The relation of a query with parameters `$name`; duckdb.Error if it is wrong.

        `.pl()` makes it a Polars frame, `.fetchall()` a list of rows.
        """
        self._make_for(query)
        found = self._connection.sql(query, params=params or None)
        if found is None:
            # A statement without a result, such as `set threads = 1`.
            found = self._connection.sql("select where false")
        # A relation reads the store's open files when it is fetched, so it keeps the store; `id` does nothing.
        finalize(found, id, self).atexit = False
        return found

    def execute(self, query: str, **params: object) -> duckdb.DuckDBPyConnection:
        """The connection with a query's result, to be fetched before the next query; duckdb.Error if it is wrong.

        DuckDB plans this query once; it plans a relation when it is made and again when it is fetched.
        """
        self._make_for(query)
        return self._connection.execute(query, params or None)

    def bind(self, query: str) -> None:
        """Bind the views that a query names one by one; duckdb.Error if a view of railbird is wrong."""
        for view in with_sources(words_of(query)):
            self._connection.execute(f"describe {view.name}")

    def keep(self, name: str, condition: str, /, **params: object) -> None:
        """Make a table of the rows of a view that meet a condition; all later views and queries read it.

        For many queries about a few rows. ValueError if a query has named the view before.
        """
        if name not in self._waiting:
            raise ValueError(f"the view {name} has been made")
        view = next(view for view in all_views() if view.name == name)
        # Its query may have a column of its name.
        self._waiting.discard(name)
        self._make_for(view.query)
        self._connection.execute(
            f"create table {name} as select * from ({self._query(view)}) where {condition}", params or None
        )

    def count_equities(self) -> None:
        """Compute the equities that the store lacks and keep them, as `sql` does if a query needs them.

        `connection` shows them only after this call. If the store cannot be written they are kept in an overlay until
        this process ends.
        """
        if self._kept is not None:
            return
        if self.viewer or self._until is not None:
            # Equities need every match and all cards, which this limited store lacks.
            with _open(self.place, self._watch) as whole:
                self._kept = whole._count()
        else:
            self._kept = self._count()
        fresh: dict[str, object] = {}
        schema = TRUTH if self.viewer else STORED
        read, manifest = reader(self._kept, fresh, self._opened), read_manifest(self._kept)
        is_cut = self._until is not None
        views = [stored_table(read, manifest, table, schema, is_cut) for table in (EQUITIES, "counted")]
        for name, dataset in fresh.items():
            self._connection.register(name, dataset)
        self._remote.update(fresh)
        self._connection.execute(";\n".join(views))

    def _count(self) -> Place:
        """The location with the equities of all its matches; missing ones are computed."""
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
        """The views that a query names, and those they read."""
        words = words_of(query)
        lists = words & _CATALOG or words == {"describe"}
        # An extra view costs little; equities take long, and are kept.
        named = words_of(_SAID.sub(lambda found: found[1] or " ", query))
        views = with_sources(named)
        if self._hidden and (absent := next((view for view in views if view.unseen), None)):
            raise StoreError(f"{absent.name} does not exist in a store as a player saw it: {absent.unseen}")
        if not lists and EQUITIES in {view.name for view in views}:
            self.count_equities()
        if lists or _MADE_NAME.search(query):
            self._make(self._waiting, quickly=True)
            self._macros.make_all()
        else:
            self._make(words & self._waiting)
            self._macros.make(words)

    def _make(self, names: set[str], quickly: bool = False) -> None:
        """Make the named views and those that they read; quickly: none a table because the store is small."""
        made = [view for view in with_sources(names) if view.name in self._waiting]
        self._macros.make(set[str]().union(*(words_of(view.query) for view in made)))
        limited = self.viewer not in (None, SPECTATOR)
        small = not quickly and any(view.table == SMALL for view in made) and self._is_small
        tables = [view for view in made if view.is_table(limited, small) and self._has_equities(view)]
        # DuckDB binds a view when a query reads it, so views may come before the tables that they read.
        if views := [self._creation(view) for view in made if view not in tables]:
            self._connection.execute(";\n".join(views))
        interrupt: duckdb.InterruptException | None = None
        for view in tables:
            try:
                self._connection.execute(f"create table {view.name} as\n{self._query(view)}")
            except duckdb.Error as error:
                # As a view it fails in the query that reads it, which raises the error.
                self._connection.execute(self._creation(view))
                if isinstance(error, duckdb.InterruptException):
                    interrupt = error
        self._waiting.difference_update(view.name for view in made)
        if interrupt is not None:
            raise interrupt

    def _has_equities(self, view: View) -> bool:
        """Whether the equities that a view reads are counted, if it reads any."""
        return self._kept is not None or EQUITIES not in {each.name for each in with_sources({view.name})}

    @cached_property
    def _is_small(self) -> bool:
        """Whether it is on disk and has at most `_FEW_ACTIONS` actions, and as many hands."""
        if not isinstance(self.place, Folder):
            return False
        joined = f" join {TRUTH}.viewer using (match_id)" if self.viewer else ""
        schema = TRUTH if self.viewer else STORED
        counts = ", ".join(
            f"(select count(*) from {schema}.{table}{joined})" for table in ("actions", "hands")
        )
        try:
            return bool(
                self._connection.execute(f"select greatest({counts}) <= {_FEW_ACTIONS}").fetchall()[0][0]
            )
        except duckdb.InterruptException:
            raise
        except duckdb.Error:
            return False

    def _query(self, view: View) -> str:
        query = _with_bits(view.query_where(self._holds))
        if view.name not in WIDENED:
            return query
        return with_columns(query, WIDENED[view.name], self._columns, TRUTH if self.viewer else STORED)

    def _holds(self, condition: str) -> bool:
        """Whether a stored table has a row that meets a condition (`views.ONLY_IF`); True if it cannot be read."""
        if condition not in self._held:
            table, _, where = condition.partition(":")
            # Parts in a bucket are not fetched for that.
            if table != GAMES and not isinstance(self.place, Folder):
                return True
            try:
                found = self._connection.execute(f"from {STORED}.{table} where {where} limit 1").fetchall()
            except duckdb.InterruptException:
                raise
            except duckdb.Error:
                return True
            self._held[condition] = bool(found)
        return self._held[condition]

    def _creation(self, view: View) -> str:
        return f"create view {view.name} with (defer_binding) as\n{self._query(view)}"

    def seal(self, memory: str | None = None, targets: Collection[str] = ()) -> None:
        """From now on queries reach the store's rows only: no other file, network, extension or setting.

        memory   the most that they may use, such as `1GB`, then without disk space; None: as before, with disk space
        targets  files that they may write: each alone, or all in it if it is a folder

        For SQL that is not to be trusted. Views and equities that it needs must be there: `cursor(query)` makes them.
        """
        paths, folders = _listed({*self._opened.given, *targets}), _listed(targets)
        limits = "" if memory is None else f"set memory_limit = '{memory}'; set temp_directory = '';"
        self._connection.execute(
            f"{limits} set autoload_known_extensions = false; set allowed_paths = [{paths}];"
            f"set allowed_directories = [{folders}]; set enable_external_access = false; set lock_configuration = true"
        )

    def export(
        self,
        folder: str | Path,
        to: str = "parquet",
        progress: Progress | None = None,
        only: Collection[int] | None = None,
    ) -> list[Path]:
        """Write the store into a new folder in a format of docs/export.md; returns the files.

        `parquet` and `csv` hold each relation whole, with the equities that the store lacks, which are computed.
        only: match_ids, None for all. StoreError if the folder is not empty or cannot be written, ValueError for
        another file format.
        """
        kind = FileKind(to)
        if not kind.of_tables:
            self.export_hands(folder, kind, progress=progress, only=only)
            return sorted(path for path in Path(folder).rglob("*") if path.is_file())
        from .exporting import export

        return export(self, Path(folder), kind, progress, only)

    def export_hands(
        self,
        folder: str | Path,
        to: str,
        hero: str | None = None,
        progress: Progress | None = None,
        only: Collection[int] | None = None,
    ) -> "Written":
        """Write the hands that a format of hands can hold into a new folder: how many, and why not the others.

        hero  the player whose hole cards alone are written before a showdown, in formats that have a point of view
        only  match_ids; None for all

        Errors as of `export`; ValueError for a format of tables, UnknownPlayer for an unknown hero.
        """
        kind = FileKind(to)
        if kind.of_tables:
            raise ValueError(f"{kind} is a format of tables")
        from .exported_hands import export_hands

        return export_hands(self, Path(folder), kind, hero, progress, only)

    def as_seen_by(self, viewer: Player) -> "Store":
        """The store as a player saw it: its matches, with only the cards that it was shown.

        It has all views, over the tables of sql/seen (docs/visibility.md), except those that would be wrong: a query of
        one raises a StoreError that says why. Schema `truth` has the tables as they are on disk. Close it like any
        other store.
        """
        hidden = {view.name: view.query for view in seen_views()}
        return self._opened_again(viewer, hidden)

    def order_of_draws(self) -> list[int]:
        """The match_ids that random draws follow, as spectators know them: in the order of play.

        A match_id is a hash of the log, hidden cards included. Draws of any other store follow it: none.
        """
        return matches_played(self) if self.viewer == SPECTATOR else []

    def as_spectators_saw(self) -> "Store":
        """All matches of the store, with only the cards that everybody at the table was shown.

        As `as_seen_by`, over the tables of sql/spectators and sql/seen. Nor has it numbers of single hands that follow
        from hidden cards, or what bots printed.
        """
        hidden = {view.name: view.query for view in spectator_views()}
        return self._opened_again(SPECTATOR, hidden)

    def matches_of(self, viewer: Player) -> "Store":
        """The store limited to a player's matches, with nothing hidden, for comparison with `as_seen_by`."""
        return self._opened_again(viewer)

    def until(self, match_id: int) -> "Store":
        """The store as if it ended with a match, in the order of play; UnknownMatch if it does not hold the match.

        Of a file that goes on behind the match, the row in `files` and the unknown lines stay whole.
        """
        return self.only(matches_up_to(self, match_id))

    def only(self, matches: Sequence[int]) -> "Store":
        """The store as if it held no other matches than these; match_ids in the order of play."""
        limited = _open(self.place, self._watch, self.viewer, self._hidden, self.naming, matches)
        limited.is_kept = self.is_kept
        return limited

    def _opened_again(self, viewer: Player, hidden: Mapping[str, str] = MappingProxyType({})) -> "Store":
        """The store for a viewer, as far as this one reaches."""
        return _open(self.place, self._watch, viewer, hidden, self.naming, self._until)

    def before(self, viewer: Player, match_id: int, hand_index: int) -> "Store":
        """The store limited to a player's matches, and to what was played before a hand.

        That is the matches before this one in the order of play, and this one's hands before the hand; the row of this
        match in `matches` stays whole. UnknownMatch if the match is not of the player's event and game.
        """
        earlier = [row[0] for row in matches_in_order(self, viewer.event, viewer.game, match_id)]
        limited = self.matches_of(viewer)
        limited._connection.execute(
            f"delete from {TRUTH}.viewer where not list_contains($earlier, match_id)", {"earlier": earlier}
        )
        limited._connection.execute(
            ";\n".join(
                f"create or replace view {STORED}.{table} with (defer_binding) as select t.* from {TRUTH}.{table} as t "
                f"join {TRUTH}.viewer as v on v.match_id = t.match_id "
                f"where t.match_id <> {int(match_id)} or t.hand_index < {int(hand_index)}"
                for table, columns in TABLES.items()
                if {"match_id", "hand_index"} <= {column.name for column in columns}
            )
        )
        return limited

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


class Macros:
    """The macros of a connection, each made when a query or a view first names it."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._waiting = {*macros(), *TALLIES}

    def make(self, words: Collection[str]) -> None:
        """Make the macros among some words."""
        if not (made := named_macros(words) & self._waiting):
            return
        statements = [text for name, text in macros().items() if name in made]
        if made & {*TALLIES}:
            made.update(TALLIES)
            statements += tally_macros(_statistics(self._connection))
        self._connection.execute(";\n".join(statements))
        self._waiting -= made

    def make_all(self) -> None:
        """Make every macro."""
        self.make(self._waiting)


def _with_bits(query: str) -> str:
    return _FLAG_BIT.sub(_bit, query)


def open_store(store: str | Path | Place, watch: Watch = nullcontext, naming: Naming = AS_LOGGED) -> Store:
    """Open the store of a folder or of s3://bucket/path; StoreError, one line, if it cannot be read.

    watch   shows the progress of computing equities for the first query that needs them
    naming  names that are to count as one player, or one player's matches that are to be told apart; WishError where
            the store has nothing that it asks for
    """
    place = place_of(store)
    if isinstance(place, Folder) and place.root.exists() and not place.root.is_dir():
        raise StoreError(f"{place} is not a folder")
    return _open(place, watch, naming=naming)


def unreadable(place: Place, error: duckdb.Error) -> StoreError | None:
    """The error of the store or the machine behind a failed query; None if the query itself is wrong."""
    if isinstance(error, duckdb.IOException | duckdb.OutOfMemoryException):
        return StoreError(with_names(str(error)))
    # Undecodable Parquet raises an error without a class, or one that names the part or the dataset.
    if type(error) is duckdb.Error or (
        isinstance(error, duckdb.InvalidInputException) and _PART.search(with_names(str(error)))
    ):
        return StoreError(f"{place} cannot be read: {with_names(str(error))}")
    return None


def _open(
    place: Place,
    watch: Watch,
    viewer: Player | None = None,
    hidden: Mapping[str, str] = MappingProxyType({}),
    naming: Naming = AS_LOGGED,
    until: Sequence[int] | None = None,
) -> Store:
    """A store, optionally limited to a viewer's matches or to those of `until`.

    hidden  queries for some tables, of what the viewer was shown
    """
    for _ in range(_OPENED_AGAIN):
        manifest = read_manifest(place)
        try:
            return _opened(place, manifest, watch, viewer, hidden, naming, until)
        except StoreError:
            # A writer may have replaced parts since, and one whose clock jumps removes them at once.
            if read_manifest(place) == manifest:
                raise
    return _opened(place, read_manifest(place), watch, viewer, hidden, naming, until)


def _opened(
    place: Place,
    manifest: Manifest,
    watch: Watch,
    viewer: Player | None,
    hidden: Mapping[str, str],
    naming: Naming,
    until: Sequence[int] | None,
) -> Store:
    if not manifest.batches:
        raise nothing_in(place)
    sizes_of(place, manifest)
    for one in obvious(place, manifest):
        raise damaged(place, one.part, one.problem)
    connection = duckdb.connect(
        config={"autoinstall_known_extensions": False, "python_enable_replacements": False}
    )
    try:
        # DuckDB draws a progress bar on standard output when a query takes seconds.
        connection.execute("set enable_progress_bar = false")
        remote: dict[str, object] = {}
        opened = OpenFiles()
        read, schema = reader(place, remote, opened), TRUTH if viewer else STORED
        stored = stored_tables(read, manifest, schema, until)
        for name, dataset in remote.items():
            connection.register(name, dataset)
        if viewer:
            # Rules are public, and macros need them.
            stored += [f"create schema {STORED}", f"create view {STORED}.{GAMES} as from {TRUTH}.{GAMES}"]
        connection.execute(";\n".join(stored))
        if isinstance(place, Folder) and not viewer and until is None and not _adds_up(connection):
            raise first_fault(place) or StoreError(f"{place}: its matches have other hands than it holds")
        columns, has_tags = NO_COLUMNS, bool(manifest.parts("tags"))
        if naming or has_tags:
            cut = "" if until is None else schema
            named = {table: selected(read, manifest, table, cut) for table in RENAMED}
            columns = apply(connection, schema, naming, has_tags, named)
        macros = Macros(connection)
        if viewer:
            _keep_matches_of(connection, macros, viewer, hidden)
        return Store(place, connection, macros, remote, opened, watch, viewer, hidden, naming, columns, until)
    except WishError:
        connection.close()
        raise
    except duckdb.Error as error:
        connection.close()
        said = f"{place} cannot be read: {with_names(str(error)).splitlines()[0]}"
        raise first_fault(place) or StoreError(said) from None
    except OSError as error:
        connection.close()
        raise StoreError(f"{place} cannot be read: {reason(error)}") from None


def _adds_up(connection: duckdb.DuckDBPyConnection) -> bool:
    """Whether no match is there twice, and there are as many hands as they have.

    Rows of a match that is there n times are n to the power of its joins in a query.
    """
    ((whole,),) = connection.execute(
        f"""
        select count(*) = count(distinct match_id)
          and coalesce(sum(hands), 0) = (select count(*) from {STORED}.hands)
        from {STORED}.matches
        """
    ).fetchall()
    return bool(whole)


def _seats_of(connection: duckdb.DuckDBPyConnection, viewer: Player) -> None:
    """The table of a player's matches and its seat in each."""
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


def _keep_matches_of(
    connection: duckdb.DuckDBPyConnection, macros: "Macros", viewer: Player, hidden: Mapping[str, str]
) -> None:
    """Schema `stored` over `truth`: the matches of a player, and its seat in each."""
    macros.make(set[str]().union({"namesake_seat_of"}, *map(words_of, hidden.values())))
    if viewer == SPECTATOR:
        # No seat is the spectator's.
        seats = f"select match_id, cast(-1 as tinyint) as seat from {TRUTH}.matches"
        connection.execute(f"create table {TRUTH}.viewer as {seats}")
    else:
        _seats_of(connection, viewer)
    made = []
    for table, columns in TABLES.items():
        if table == GAMES:
            continue
        query = f"select t.* from {TRUTH}.{table} as t"
        if any(column.name == "match_id" for column in columns):
            query += f" join {TRUTH}.viewer as v on v.match_id = t.match_id"
        made.append(f"create view {STORED}.{table} with (defer_binding) as\n{hidden.get(table, query)}")
    connection.execute(";\n".join(made))


def _listed(paths: Collection[str]) -> str:
    return ", ".join("'" + path.replace("'", "''") + "'" for path in sorted(paths))


def _bit(flag: re.Match[str]) -> str:
    return f"{1 << FLAGS.index(flag[1])}::ubigint"


def _statistics(connection: duckdb.DuckDBPyConnection) -> list[Statistic]:
    (listed,) = (view.query for view in all_views() if view.name == "statistics")
    found = connection.execute(
        f"select statistic, opportunity_flag, success_flag from ({listed}) order by place"
    )
    return [(name, chance, success) for name, chance, success in found.fetchall()]
