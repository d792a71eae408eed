"""The views of `sql/` and the macros that they use.

Macros count every statistic of `sql/statistics.sql` in one pass over the flags. A tally adds up the flags of up to MOST
hands: seven flags to a word, a byte each, so that one addition counts seven. `tally_of(flags)` makes it,
`counts_of(tally, cluster)` adds tallies up to a list with one element a statistic. For hands without a cluster,
`tally_block(hand_index)`, below 0, numbers blocks of MOST.
"""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from graphlib import TopologicalSorter
from itertools import pairwise
from pathlib import Path
from typing import Final

from ..replay.acpc.definitions import HANDS_COMPARED
from ..replay.positions import PREFLOP_ORDER
from ..schema.columns import TABLES, sql_type
from ..schema.words import FLAGS, FLAGS_OF_FLAGS, LOWEST, RANKS, SUITS
from .settings import LEVEL, Z

SQL: Final = Path(__file__).parent / "sql"
MACROS: Final = "macros.sql"
STORED: Final = "stored"
"""In brackets in the header of a relation, in a comment in its query: the columns of its table that the header names
neither above nor as `left_out`.
"""
OWN: Final = "own"
"""The same in `sql/seen`: columns that each player knows of itself alone (`Column.own`), or no player
during a match (`Column.later`); the query has `is_own`.
"""

ALL: Final = "in all stores"
LIMITED: Final = "in a store limited to one player"
SMALL: Final = "in a small store"
"""Under `table` in the header of a view that many views read: the stores in which it is a table. DuckDB plans a query
of tables in half the time that one of views over views needs; in a small store it is also quickly made.
"""
TABLES_OF: Final = (ALL, LIMITED, SMALL)

ONLY_IF: Final = "only_if"
"""In the header of a view, `TABLE: CONDITION`: without a row of the stored table that meets the condition the view is
empty, and made as such. Most of planning a query is binding its views, also those of games that the store lacks.
"""
_IF: Final = re.compile(r"/\*if (\w+: .*?)\*/(.*?)/\*end\*/", re.DOTALL)
"""The same for a part of a query, between `/*if TABLE: CONDITION*/` and `/*end*/`: it is left out."""

LOCK: Final = "before_lock"
GRAINS: Final = {
    "by_opponent": "opponent",
    "by_position": "position",
    "by_street": "street",
    "by_match": "match",
}
"""Suffixes of views that split the rows of the view without it, and the column that they add to its grain."""

COUNTED: Final = "/*counted*/"
"""In `statistics.sql` the rows of the statistics that headers of views list under `statistics`: name, place, label,
opportunity and success. Elsewhere all that these views count, a row an opportunity.
"""
_COUNTS: Final = "select match_id, hand_index, seat, position, statistic, successes from "

_KEYS: Final = ("name", "grain", "columns", "definition")
_SUFFIX: Final = "|".join((*GRAINS, LOCK))
_MARKED: Final = re.compile(rf"/\*((?:{_SUFFIX})(?:\|\w+)*)\s(.*?)\*/", re.DOTALL)
_OWN: Final = re.compile(rf"((?:{_SUFFIX})(?:\|\w+)*): ")
_COMMENT: Final = re.compile(r"^--.*\n", re.MULTILINE)
_MACRO: Final = re.compile(r"create macro (\w+)")
_WORD: Final = re.compile(r"\w+")
_SOURCE: Final = re.compile(r"\b(?:from|join)\s+(\w+)\b(?!\.)", re.IGNORECASE)


@dataclass(frozen=True)
class ColumnText:
    """A column as described in the header of its view."""

    name: str
    type: str
    meaning: str


@dataclass(frozen=True)
class View:
    """A view: the header of its file, its query, and the other views that the query reads.

    base      the view that its file is named for: the name without suffixes
    suffixes  of GRAINS and LOCK, as the header lists them under `suffixes`; empty for that view itself
    unseen    why a store as a player saw it lacks the view; empty if it has it
    table     the stores in which it is made a table when it is first read: one of TABLES_OF, or empty for none
    only_if   what its header says under ONLY_IF
    """

    name: str
    grain: str
    columns: tuple[ColumnText, ...]
    definition: str
    query: str
    relation: bool
    sources: frozenset[str]
    base: str
    suffixes: tuple[str, ...] = ()
    unseen: str = ""
    table: str = ""
    only_if: str = ""

    def query_where(self, holds: Callable[[str], bool]) -> str:
        """The query for a store; holds: whether it has such a row (ONLY_IF)."""
        if self.only_if and not holds(self.only_if):
            nothing = ", ".join(f"cast(null as {column.type}) as {column.name}" for column in self.columns)
            return f"select {nothing} where false"
        return _IF.sub(lambda found: found[2] if holds(found[1]) else "", self.query)

    def is_table(self, limited: bool, small: bool) -> bool:
        """True where it is made a table, in a store that is limited to one player or not, and small or not."""
        return self.table == ALL or (self.table == LIMITED and limited) or (self.table == SMALL and small)


def _columns(line: str, suffixes: tuple[str, ...]) -> list[ColumnText]:
    name, kind, meaning = re.split(r"\s{2,}", line, maxsplit=2)
    own = _OWN.match(meaning)
    if own and not set(own[1].split("|")) & set(suffixes):
        return []
    return [ColumnText(name, kind, meaning[own.end() :] if own else meaning)]


def _marked(parts: dict[str, list[str]], query: str) -> tuple[list[str], str]:
    """The lines of a header's columns and the query, with STORED and OWN expanded."""
    lines, table = parts["columns"][1:], TABLES.get(parts["name"][0], ())
    named = {line.split()[0] for line in lines} | {*re.findall(r"\w+", " ".join(parts.get("left_out", ())))}
    stored = {c.name: f"{c.name}  {sql_type(c.type)}  stored" for c in table if c.name not in named}
    for before, flag in pairwise(FLAGS):
        if flag in FLAGS_OF_FLAGS and before in stored:
            later = {flag: f"{flag}  BOOLEAN  derived: statistic flag, {FLAGS_OF_FLAGS[flag]}"}
            place = list(stored).index(before) + 1
            stored = dict([*list(stored.items())[:place], *later.items(), *list(stored.items())[place:]])
    own, unknown = ([c for c in table if c.own], [c for c in table if c.later])
    listed = {
        STORED: ([*stored.values()], [*stored]),
        OWN: (
            [f"{c.name}  {sql_type(c.type)}  of others: null" for c in own]
            + [f"{c.name}  {sql_type(c.type)}  null: no player knew it" for c in unknown],
            [f"if(is_own, {c.name}, null) as {c.name}" for c in own]
            + [f"cast(null as {sql_type(c.type)}) as {c.name}" for c in unknown],
        ),
    }
    for mark, (texts, items) in listed.items():
        query = query.replace(f"/*{mark}*/", ", ".join(items))
        lines = [each for line in lines for each in (texts if line == f"({mark})" else [line])]
    return lines, query


def _combinations(listed: Sequence[str]) -> list[tuple[str, ...]]:
    """The suffixes of each view of a file, from those that its header lists; the first has none."""
    grains: list[tuple[str, ...]] = [(), *((word,) for word in listed if word != LOCK)]
    return grains + [(*grain, LOCK) for grain in grains if LOCK in listed]


def _header(text: str) -> tuple[dict[str, list[str]], str]:
    """The lines of each part of a file's header, and its query."""
    parts: dict[str, list[str]] = {}
    lines = text.splitlines()
    head = next((k for k, line in enumerate(lines) if not line.startswith("--")), len(lines))
    for line in lines[:head]:
        found = re.match(r"-- (\w+):(.*)", line)
        if found:
            parts[found[1]] = [found[2].strip()]
        elif parts:
            parts[next(reversed(parts))].append(line.removeprefix("--").strip())
    return parts, "\n".join(lines[head:]).strip()


def parse_view(text: str, relation: bool = False) -> View:
    """The view of a file, from its text; ValueError says what its header lacks, or has wrong."""
    return parse_views(text, relation)[0]


def parse_views(text: str, relation: bool = False) -> list[View]:
    """The view of a file, and those with suffixes; ValueError as of `parse_view`."""
    parts, query = _header(text)
    missing = [key for key in _KEYS if not any(parts.get(key, ()))]
    if missing:
        raise ValueError(f"the header lacks {', '.join(missing)}")
    columns, query = _marked(parts, query)
    name = parts["name"][0]
    listed = re.findall(r"\w+", " ".join(parts.get("suffixes", ())))
    table = " ".join(parts.get("table", ()))
    if table and table not in TABLES_OF:
        may = " or ".join(map(repr, TABLES_OF))
        raise ValueError(f"{name}.sql: the header has table: {table!r}; it may be {may}")

    def view(suffixes: tuple[str, ...]) -> View:
        def chosen(found: re.Match[str]) -> str:
            return found[2] if set(found[1].split("|")) & set(suffixes) else ""

        own = _MARKED.sub(chosen, query)
        called = "_".join([name, *suffixes])
        return View(
            name=called,
            grain=" x ".join(
                [" ".join(parts["grain"]), *(GRAINS[word] for word in suffixes if word != LOCK)]
            ),
            columns=tuple(column for line in columns for column in _columns(line, suffixes)),
            definition=" ".join(parts["definition"]),
            query=own,
            relation=relation,
            sources=frozenset(_SOURCE.findall(own)) - {called},
            base=name,
            suffixes=suffixes,
            unseen=" ".join(parts.get("unseen", ())),
            only_if=" ".join(parts.get(ONLY_IF, ())),
            # Lock points need all rows of seats: in a store of all matches such a table would take long.
            table=LIMITED if table == ALL and LOCK in suffixes else table,
        )

    return [view(suffixes) for suffixes in _combinations(listed)]


def _with_sources(views: Sequence[View]) -> list[View]:
    """The views; one with suffixes reads other views with those of its suffixes that they have."""
    names = {(view.base, view.suffixes): view.name for view in views}
    words: dict[str, set[str]] = {}
    for view in views:
        words.setdefault(view.base, set()).update(view.suffixes)

    def reading(view: View) -> View:
        def alike(name: str) -> str:
            return names.get(
                (name, tuple(word for word in view.suffixes if word in words.get(name, ()))), name
            )

        query = _SOURCE.sub(lambda found: found[0].removesuffix(found[1]) + alike(found[1]), view.query)
        return replace(view, query=query, sources=frozenset(map(alike, view.sources)))

    return [reading(view) if view.suffixes else view for view in views]


def in_order(views: Sequence[View]) -> tuple[View, ...]:
    """The views, each after those that it reads."""
    known = {view.name: view for view in views}
    graph = {view.name: sorted(view.sources & known.keys()) for view in views}
    return tuple(known[name] for name in TopologicalSorter(graph).static_order())


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _with_counted(paths: Iterable[Path]) -> Iterator[str]:
    """The texts of views' files, with COUNTED expanded."""
    texts = {path.stem: _text(path) for path in paths if path.name != MACROS}
    listed = {name: _header(text)[0].get("statistics", ())[1:] for name, text in texts.items()}
    rows = [_statistic(*re.split(r"\s{2,}", line)) for lines in listed.values() for line in lines]
    union = " union all ".join(f"{_COUNTS}{name}" for name, lines in listed.items() if lines)
    for name, text in texts.items():
        yield text.replace(COUNTED, ",\n    ".join(rows) if name == "statistics" else union)


def _statistic(name: str, place: str, label: str, opportunity: str, success: str) -> str:
    """A row of `statistics.sql`."""
    quoted = ["'" + text.replace("'", "''") + "'" for text in (name, label, opportunity, success)]
    return f"({quoted[0]}, {quoted[1]}, {place}, null, null, {quoted[2]}, {quoted[3]})"


@cache
def all_views() -> tuple[View, ...]:
    """Every view of the package, each after those that it reads."""
    relations = [parse_view(_text(path), True) for path in sorted((SQL / "relations").glob("*.sql"))]
    files = sorted([*SQL.glob("*.sql"), *(SQL / "audit").glob("*.sql")])
    answers = [view for text in _with_counted(files) for view in parse_views(text)]
    return in_order([*relations, *_with_sources(answers)])


@cache
def seen_views() -> tuple[View, ...]:
    """The views of the stored tables as a player saw them; their headers name the columns that hide something."""
    return tuple(parse_view(_text(path), True) for path in sorted((SQL / "seen").glob("*.sql")))


SEEN: Final = "/*seen*/"
"""In the SQL of `spectator_views` the query of `seen_views` for the same table."""


@cache
def spectator_views() -> tuple[View, ...]:
    """The views of the stored tables as somebody saw them who was at every table and in no seat.

    Those of `seen_views`, with less where their headers say so.
    """
    seen = {view.name: view for view in seen_views()}
    less = [parse_view(_text(path), True) for path in sorted((SQL / "spectators").glob("*.sql"))]
    for view in less:
        seen[view.name] = replace(view, query=view.query.replace(SEEN, seen[view.name].query))
    return tuple(seen.values())


def over_matches(name: str, *more: str) -> str:
    """The query of a view that adds up matches, limited to the matches of `$ids`.

    It limits the views ..._by_match that the query reads, and those of `more`, which have a match_id.
    """
    (view,) = (view for view in all_views() if view.name == name)
    some = ", ".join(
        f"{source} as (select * from main.{source} where among(match_id, $ids))"
        for source in sorted(view.sources)
        if source.endswith("_by_match") or source in more
    )
    return f"with {some}\nselect * from (\n{view.query}\n)"


QUERIES: Final = SQL / "queries"
_OVER: Final = re.compile(r"/\*over_matches ([\w ]+)\*/")


@cache
def queries(folder: str | Path) -> Mapping[str, str]:
    """The queries of a folder below QUERIES by name: one question a file, its parameters `$name`.

    `/*over_matches VIEW MORE*/` in a query stands for `over_matches`.
    """
    return {
        path.stem: _OVER.sub(lambda found: over_matches(*found[1].split()), _text(path))
        for path in sorted((QUERIES / folder).glob("*.sql"))
    }


def named(query: str, **params: object) -> dict[str, object]:
    """Those of some parameters that a query names: DuckDB refuses others."""
    return {name: value for name, value in params.items() if re.search(rf"\${name}\b", query)}


def with_sources(names: Collection[str]) -> list[View]:
    """The named views and all that they read, each after those that it reads."""
    wanted = set(names)
    for view in reversed(all_views()):
        if view.name in wanted:
            wanted |= view.sources
    return [view for view in all_views() if view.name in wanted]


TALLIES: Final = ("tally_of", "counts_of")
"""The macros of `tally_macros`, and those of `sql/macros.sql` that they use."""
_USED_BY_TALLIES: Final = ("spread_of",)


@cache
def macros() -> Mapping[str, str]:
    """The statement of each macro by its name, without those of `tally_macros`; each follows those that it uses."""
    bits = {flag: 1 << bit for bit, flag in enumerate(FLAGS)}
    cases = " ".join(f"when '{flag}' then {bit}" for flag, bit in bits.items())
    text = _COMMENT.sub("", (SQL / MACROS).read_text(encoding="utf-8"))
    statements = [
        f"create macro z_975() as {Z}::double",
        f"create macro chance_level() as {LEVEL}::double",
        f"create macro preflop_order() as {list(PREFLOP_ORDER)}",
        f"create macro hands_compared() as {HANDS_COMPARED}",
        f"create macro flag_bit(flag) as cast(case flag {cases} else 0 end as ubigint)",
        f"create macro ranks() as '{RANKS}'",
        f"create macro ranks_high_first() as '{(LOWEST + RANKS)[::-1]}'",
        f"create macro full_deck() as {[rank + suit for rank in RANKS[::-1] for suit in SUITS[::-1]]}",
        *filter(None, map(str.strip, text.split(";\n"))),
    ]
    return {_MACRO.match(statement)[1]: statement for statement in statements}  # type: ignore[index]


def words_of(text: str) -> set[str]:
    """The words of a query, names among them, in lower case."""
    return set(_WORD.findall(text.lower()))


@cache
def _used_macros() -> Mapping[str, set[str]]:
    """The macros that each macro uses itself."""
    return {name: words_of(text) & (macros().keys() - {name}) for name, text in macros().items()}


def named_macros(words: Collection[str]) -> set[str]:
    """The macros among some words, and all that they use."""
    wanted = {word for word in words if word in macros() or word in TALLIES}
    if wanted & {*TALLIES}:
        wanted.update(_USED_BY_TALLIES)
    for name in reversed([*macros()]):
        if name in wanted:
            wanted |= _used_macros()[name]
    return wanted


MOST: Final = 255
"""Hands of one tally, the most that a byte can count."""

_BITS: Final = 7
_SPREAD: Final = sum(1 << 7 * k for k in range(_BITS))
"""Multiplied by seven bits it copies them every seven bits; bit k of copy k is at bit 8 k."""
_LOWEST: Final = sum(1 << 8 * k for k in range(_BITS))
"""The lowest bit of each of seven bytes."""

REQUIRED: Final = {"won_hand": "saw_flop"}
"""Flags that do not imply the opportunity of their statistic, and the flag that they also require."""

Statistic = tuple[str, str | None, str | None]
"""statistic, opportunity_flag, success_flag of a row of `statistics`."""


def tally_macros(statistics: Iterable[Statistic]) -> list[str]:
    """The statements that make `tally_of` and `counts_of`."""
    bit = {flag: 1 << place for place, flag in enumerate(FLAGS)}
    counted = "flags::bigint"
    for flag, required in REQUIRED.items():
        counted = f"if(flags & {bit[required]} = 0, flags & ~{bit[flag]}::ubigint, flags)::bigint"
    words = {
        f"word_{first}": f"sum(({counted} >> {first} & {(1 << _BITS) - 1}) * {_SPREAD} & {_LOWEST})::bigint"
        for first in range(0, len(FLAGS), _BITS)
    }
    listed = ", ".join(
        f"{{'statistic': '{name}', 'opportunities': sum({n})::bigint, 'successes': sum({k})::bigint, "
        f"'spread': spread_of({n}, {k}, cluster)}}"
        for name, n, k in (
            (name, _count(chance), _count(success)) for name, chance, success in statistics if success
        )
    )
    tally = ", ".join(f"'{word}': {value}" for word, value in words.items())
    return [
        f"create macro tally_block(hand_index) as -1 - hand_index // {MOST}",
        f"create macro tally_of(flags) as {{'hands': count(*), {tally}}}",
        f"create macro counts_of(tally, cluster) as [{listed}]",
    ]


def _count(flag: str | None) -> str:
    """The number of hands of a tally with a flag; all hands for None."""
    if flag is None:
        return "tally.hands::integer"
    place = FLAGS.index(flag)
    return f"(tally.word_{place - place % _BITS} >> {8 * (place % _BITS)} & {MOST})::integer"
