"""The view files: where they lie, what their headers say, and the order in which they can be made.

A file holds a header of comments and one query, whose result is the view:

    -- name: verdicts
    -- grain: match x verdict
    -- columns:
    --   match_id  UBIGINT  key of the match
    -- definition: what exactly is counted; goes on
    --   over indented lines

A file may hold twins of its view, which differ from it in what stands between `/*TWIN` and `*/`:

    -- twins: by_opponent, before_lock

makes `verdicts_by_opponent`, `verdicts_before_lock` and `verdicts_by_opponent_before_lock`. What one twin or another
has is marked `/*by_opponent|by_match ...*/`, and a column that only they have `by_opponent|by_match: its meaning`.
A twin reads that twin of every view which has most in common with it.

A view that is wrong where cards are hidden says why, and is not in a store as a player saw it:

    -- unseen: hands without cards would count as 0
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

from ..schema.words import FLAGS

SQL: Final = Path(__file__).parent / "sql"
MACROS: Final = "macros.sql"
EVERY_FLAG: Final = "(flags)"

LOCK: Final = "before_lock"
GRAINS: Final = {
    "by_opponent": "opponent",
    "by_position": "position",
    "by_street": "street",
    "by_match": "match",
}
"""Twins that tell apart what the view adds up, and what they add to its grain."""

_KEYS: Final = ("name", "grain", "columns", "definition")
_TWIN: Final = "|".join((*GRAINS, LOCK))
_MARKED: Final = re.compile(rf"/\*((?:{_TWIN})(?:\|\w+)*)\s(.*?)\*/", re.DOTALL)
_OWN: Final = re.compile(rf"((?:{_TWIN})(?:\|\w+)*): ")
_SOURCE: Final = re.compile(r"\b(?:from|join)\s+(\w+)\b(?!\.)", re.IGNORECASE)


@dataclass(frozen=True)
class ColumnText:
    """A column as its view's header describes it."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True)
class View:
    """A view: the header of its file, its query, and the other views that the query reads.

    twin  what makes it a twin of the view that its file is named for: nothing for that view itself
    base  the name of that view
    unseen  why it is not in a store as a player saw it; empty where it is
    """

    name: str
    grain: str
    columns: tuple[ColumnText, ...]
    definition: str
    query: str
    relation: bool
    sources: frozenset[str]
    base: str
    twin: tuple[str, ...] = ()
    unseen: str = ""


def _columns(line: str, twin: tuple[str, ...]) -> list[ColumnText]:
    name, kind, meaning = re.split(r"\s{2,}", line, maxsplit=2)
    own = _OWN.match(meaning)
    if own and not set(own[1].split("|")) & set(twin):
        return []
    names = FLAGS if name == EVERY_FLAG else (name,)
    return [ColumnText(each, kind, meaning[own.end() :] if own else meaning) for each in names]


def _twins(said: Sequence[str]) -> list[tuple[str, ...]]:
    """The view itself and its twins, of the words of the header."""
    grains: list[tuple[str, ...]] = [(), *((word,) for word in said if word != LOCK)]
    return grains + [(*grain, LOCK) for grain in grains if LOCK in said]


def parse_view(text: str, relation: bool = False) -> View:
    """The view that a file is named for, from its text; ValueError says what its header lacks."""
    return parse_views(text, relation)[0]


def parse_views(text: str, relation: bool = False) -> list[View]:
    """The view of a file and its twins."""
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
    said = re.findall(r"\w+", " ".join(parts.get("twins", ())))

    def view(twin: tuple[str, ...]) -> View:
        def chosen(found: re.Match[str]) -> str:
            return found[2] if set(found[1].split("|")) & set(twin) else ""

        own = _MARKED.sub(chosen, query)
        called = "_".join([name, *twin])
        return View(
            name=called,
            grain=" x ".join([" ".join(parts["grain"]), *(GRAINS[word] for word in twin if word != LOCK)]),
            columns=tuple(column for line in parts["columns"][1:] for column in _columns(line, twin)),
            definition=" ".join(parts["definition"]),
            query=own,
            relation=relation,
            sources=frozenset(_SOURCE.findall(own)) - {called},
            base=name,
            twin=twin,
            unseen=" ".join(parts.get("unseen", ())),
        )

    return [view(twin) for twin in _twins(said)]


def _of_twins(views: Sequence[View]) -> list[View]:
    """The views, each twin reading the twins of others that are most like it."""
    twins = {(view.base, view.twin): view.name for view in views}
    words: dict[str, set[str]] = {}
    for view in views:
        words.setdefault(view.base, set()).update(view.twin)

    def reading(view: View) -> View:
        def alike(name: str) -> str:
            return twins.get((name, tuple(word for word in view.twin if word in words.get(name, ()))), name)

        query = _SOURCE.sub(lambda found: found[0].removesuffix(found[1]) + alike(found[1]), view.query)
        return replace(view, query=query, sources=frozenset(map(alike, view.sources)))

    return [reading(view) if view.twin else view for view in views]


def in_order(views: Sequence[View]) -> tuple[View, ...]:
    """The views, each after those it reads."""
    known = {view.name: view for view in views}
    graph = {view.name: sorted(view.sources & known.keys()) for view in views}
    return tuple(known[name] for name in TopologicalSorter(graph).static_order())


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


@cache
def all_views() -> tuple[View, ...]:
    """Every view of the package, each after those it reads."""
    relations = [parse_view(_text(path), True) for path in sorted((SQL / "relations").glob("*.sql"))]
    files = sorted([*SQL.glob("*.sql"), *(SQL / "audit").glob("*.sql")])
    paths = [path for path in files if path.name != MACROS]
    answers = [view for path in paths for view in parse_views(_text(path))]
    return in_order([*relations, *_of_twins(answers)])


@cache
def seen_views() -> tuple[View, ...]:
    """What a player saw of the stored tables, a view a table; the columns named are those that hide something."""
    return tuple(parse_view(_text(path), True) for path in sorted((SQL / "seen").glob("*.sql")))


def over_matches(name: str, *more: str) -> str:
    """The query of a view that adds up matches, over those of `$ids` alone.

    It is the view's own, reading those rows alone of the views ..._by_match, and of `more`, which have a match_id.
    """
    (view,) = (view for view in all_views() if view.name == name)
    some = ", ".join(
        f"{source} as (select * from main.{source} where list_contains($ids, match_id))"
        for source in sorted(view.sources)
        if source.endswith("_by_match") or source in more
    )
    return f"with {some}\nselect * from (\n{view.query}\n)"


def with_sources(names: Collection[str]) -> list[View]:
    """The views of some names and all they read, each after those it reads."""
    wanted = set(names)
    for view in reversed(all_views()):
        if view.name in wanted:
            wanted |= view.sources
    return [view for view in all_views() if view.name in wanted]
