"""Players by other names: several names as one player, or one player's matches apart by a column.

`--rename` merges the names that a regular expression matches: its groups are taken out of the name and become columns.
`--split` does the opposite: a player with different values of a column counts as different players. Both change what a
store reads, not what it holds, so every view and command follows.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import duckdb

from ..parsers.sources import WishError
from ..storage.tags import check_tag
from .players import unknown

GROUP: Final = "version"
"""The column of a group of `--rename` without a name."""
NAMES: Final = "names"
"""The table of names in the schema of the stored tables: player, renamed, and a column a group."""
TAGGED: Final = "tagged"
"""The table of tags there: match_id, and a column a tag."""

SHOWN: Final = "shown_names"
"""The table there of the names of each match and seat, as logged and as shown; only where they are changed."""
RENAMED: Final = ("matches", "seats", "faults", "findings")
"""The stored tables that have names."""

_EDGE: Final = " -_.:@/#+()[]"


@dataclass(frozen=True)
class Naming:
    """What the user wishes of names.

    rename  a regular expression of whole names; its groups become columns, `version` if they have no name
    split   columns whose values tell players of one name apart
    """

    rename: str = ""
    split: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        """True if there is a wish."""
        return bool(self.rename or self.split)


@dataclass(frozen=True)
class Columns:
    """The columns that a store's relations get: of tags, for each match, and of names, for each player."""

    tags: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


def _pattern(text: str) -> "tuple[re.Pattern[str], tuple[str, ...]]":
    """The compiled expression, and the column of each group."""
    try:
        pattern = re.compile(text)
    except (re.error, RecursionError, OverflowError) as error:
        raise WishError(f"--rename {text!r} is no regular expression: {error}") from None
    if not pattern.groups:
        raise WishError(f"--rename {text!r} needs a group, such as 'bot-(v[0-9]+)'")
    named = {place: name for name, place in pattern.groupindex.items()}
    columns = tuple(named.get(k, GROUP if k == 1 else f"{GROUP}_{k}") for k in range(1, pattern.groups + 1))
    for column in columns:
        check_tag(column)
    return pattern, columns


def renamed(name: str, pattern: "re.Pattern[str]") -> tuple[str, tuple[str | None, ...]]:
    """A name without the groups of an expression, and their texts; a name that does not match stays as it is."""
    found = pattern.fullmatch(name)
    if found is None:
        return name, (None,) * pattern.groups
    rest = list(name)
    for group in range(1, pattern.groups + 1):
        first, last = found.span(group)
        rest[max(first, 0) : max(last, 0)] = [""] * (last - first if first >= 0 else 0)
    return "".join(rest).strip(_EDGE) or name, found.groups()


def apply(
    connection: duckdb.DuckDBPyConnection,
    schema: str,
    naming: Naming,
    has_tags: bool,
    queries: Mapping[str, str],
) -> Columns:
    """Make the tables NAMES and TAGGED where needed, and change names in the views `RENAMED` of a schema.

    queries: of each of these views, as it is without wishes

    WishError for an expression that no name matches, and for a column that does not exist.
    """
    tags = _tagged(connection, schema) if has_tags else ()
    groups = _named(connection, schema, naming.rename) if naming.rename else ()
    if unheard := [column for column in naming.split if column not in (*tags, *groups)]:
        known = sorted({*tags, *groups})
        listed = f"columns are {', '.join(known)}" if known else "`railbird tag` and --rename make columns"
        raise WishError(f"--split: {unknown('no column is called', unheard[0], known)}; {listed}")
    if naming:
        _change_names(connection, schema, naming, tags, groups, queries)
    return Columns(tags, groups)


def _tagged(connection: duckdb.DuckDBPyConnection, schema: str) -> tuple[str, ...]:
    latest = f"""
        select match_id, tag, value from {schema}.tags
        qualify row_number() over (partition by match_id, tag order by tagged_at desc) = 1
    """
    found = connection.execute(
        f"select distinct tag from ({latest}) where value is not null order by tag"
    ).fetchall()
    tags = tuple(tag for (tag,) in found)
    if tags:
        listed = ", ".join(f"any_value(value) filter (where tag = '{tag}') as \"{tag}\"" for tag in tags)
        connection.execute(
            f"create table {schema}.{TAGGED} as select match_id, {listed} from ({latest}) group by match_id"
        )
    return tags


def _named(connection: duckdb.DuckDBPyConnection, schema: str, rename: str) -> tuple[str, ...]:
    pattern, groups = _pattern(rename)
    query = f"select distinct unnest(players) as player from {schema}.matches order by player"
    names = [name for (name,) in connection.execute(query).fetchall()]
    rows = [(name, *_row(*renamed(name, pattern))) for name in names]
    if not any(pattern.fullmatch(name) for name in names):
        raise WishError(unknown("no player's name matches --rename", rename, names))
    columns = ", ".join(f'"{group}" varchar' for group in groups)
    connection.execute(f"create table {schema}.{NAMES} (player varchar, renamed varchar, {columns})")
    marks = ", ".join("?" * (2 + len(groups)))
    connection.executemany(f"insert into {schema}.{NAMES} values ({marks})", rows)
    return groups


def _row(name: str, groups: Sequence[str | None]) -> Iterable[str | None]:
    return name, *groups


def _change_names(
    connection: duckdb.DuckDBPyConnection,
    schema: str,
    naming: Naming,
    tags: Sequence[str],
    groups: Sequence[str],
    queries: Mapping[str, str],
) -> None:
    """Make a table of the names of each match and seat, and let the views show them."""
    joins, name = "", "p.player"
    if naming.rename:
        joins += f" left join {schema}.{NAMES} as n on n.player = p.player"
        name = "n.renamed"
    if naming.split:
        if tags:
            joins += f" left join {schema}.{TAGGED} as t on t.match_id = p.match_id"
        values = ", ".join(_one_of(column, tags, groups, "t", "n") for column in naming.split)
        said = f"concat_ws(', ', {values})"
        name = f"{name} || if({said} = '', '', ' [' || {said} || ']')"
    shown = f"{schema}.{SHOWN}"
    connection.execute(f"""
        create table {shown} as
        select p.match_id, cast(p.seat as tinyint) as seat, p.player as logged, {name} as name
        from (
          select match_id, unnest(players) as player, unnest(range(len(players))) as seat from {schema}.matches
        ) as p {joins}
    """)
    by_seat = f"{shown} as n on n.match_id = r.match_id and n.seat = r.seat"
    by_match = f"(select match_id, list(name order by seat) as names from {shown} group by all) as n using (match_id)"
    for table, query in queries.items():
        column = "coalesce(n.name, r.player) as player"
        if table == "matches":
            column = "coalesce(n.names, r.players) as players"
        connection.execute(
            f"create or replace view {schema}.{table} as select r.* replace ({column}) from ({query}) as r "
            f"left join {by_match if table == 'matches' else by_seat}"
        )


def _one_of(column: str, tags: Sequence[str], groups: Sequence[str], tagged: str, named: str) -> str:
    """A column of names; where a name has none, the tag of that name."""
    found = [f'{named}."{column}"'] * (column in groups) + [f'{tagged}."{column}"'] * (column in tags)
    return found[0] if len(found) == 1 else f"coalesce({', '.join(found)})"


def with_columns(query: str, seat: bool, columns: Columns, schema: str) -> str:
    """The query of a relation with the columns of tags and, if its rows have a seat, of names."""
    named = columns.groups if seat else ()
    listed = [
        f'{_one_of(column, columns.tags, named, "tagged_", "named_")} as "{column}"'
        for column in dict.fromkeys((*columns.tags, *named))
    ]
    joins = ""
    if columns.tags:
        joins += f" left join {schema}.{TAGGED} as tagged_ on tagged_.match_id = rows_.match_id"
    if named:
        joins += (
            f" left join {schema}.{SHOWN} as logged_ on logged_.match_id = rows_.match_id and "
            f"logged_.seat = rows_.seat left join {schema}.{NAMES} as named_ on named_.player = logged_.logged"
        )
    if not listed:
        return query
    return f"select rows_.*, {', '.join(listed)} from (\n{query}\n) as rows_{joins}"


WIDENED: Final = {"matches": False, "hands": False, "seats": True, "players": True, "results": True}
"""The relations and views that get these columns, and whether their rows have a seat."""
