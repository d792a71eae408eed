"""The view files: where they lie, what their headers say, and the order in which they can be made.

A file holds a header of comments and one query, whose result is the view:

    -- name: verdicts
    -- grain: match x verdict
    -- columns:
    --   match_id  UBIGINT  key of the match
    -- definition: what exactly is counted; goes on
    --   over indented lines
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

from ..parsers.tables import FLAGS

SQL: Final = Path(__file__).parent / "sql"
MACROS: Final = "macros.sql"
EVERY_FLAG: Final = "(flags)"

_KEYS: Final = ("name", "grain", "columns", "definition")
_SOURCE: Final = re.compile(r"\b(?:from|join)\s+(\w+)\b(?!\.)", re.IGNORECASE)


@dataclass(frozen=True)
class ColumnText:
    """A column as its view's header describes it."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True)
class View:
    """A view file: its header, its query, and the other views that the query reads."""

    name: str
    grain: str
    columns: tuple[ColumnText, ...]
    definition: str
    query: str
    relation: bool
    sources: frozenset[str]


def _column(line: str) -> list[ColumnText]:
    name, kind, meaning = re.split(r"\s{2,}", line, maxsplit=2)
    names = FLAGS if name == EVERY_FLAG else (name,)
    return [ColumnText(each, kind, meaning) for each in names]


def parse_view(text: str, relation: bool = False) -> View:
    """A view from the text of its file; ValueError says what its header lacks."""
    parts: dict[str, list[str]] = {}
    lines = text.splitlines()
    head = next((k for k, line in enumerate(lines) if not line.startswith("--")), len(lines))
    for line in lines[:head]:
        found = re.match(r"-- (\w+):(.*)", line)
        if found:
            parts[found[1]] = [found[2].strip()]
        elif parts:
            parts[next(reversed(parts))].append(line.removeprefix("--").strip())
    missing = [key for key in _KEYS if not any(parts.get(key, ()))]
    if missing:
        raise ValueError(f"the header lacks {', '.join(missing)}")
    query = "\n".join(lines[head:]).strip()
    name = parts["name"][0]
    return View(
        name=name,
        grain=" ".join(parts["grain"]),
        columns=tuple(column for line in parts["columns"][1:] for column in _column(line)),
        definition=" ".join(parts["definition"]),
        query=query,
        relation=relation,
        sources=frozenset(_SOURCE.findall(query)) - {name},
    )


def in_order(views: Sequence[View]) -> tuple[View, ...]:
    """The views, each after those it reads."""
    known = {view.name: view for view in views}
    graph = {view.name: sorted(view.sources & known.keys()) for view in views}
    return tuple(known[name] for name in TopologicalSorter(graph).static_order())


@cache
def all_views() -> tuple[View, ...]:
    """Every view of the package, each after those it reads."""
    relations = [parse_view(path.read_text(), True) for path in sorted((SQL / "relations").glob("*.sql"))]
    answers = [parse_view(path.read_text()) for path in sorted(SQL.glob("*.sql")) if path.name != MACROS]
    return in_order([*relations, *answers])


def with_sources(names: Collection[str]) -> list[View]:
    """The views of some names and all they read, each after those it reads."""
    wanted = set(names)
    for view in reversed(all_views()):
        if view.name in wanted:
            wanted |= view.sources
    return [view for view in all_views() if view.name in wanted]
