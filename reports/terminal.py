"""Tables for a terminal or another program: aligned text, CSV or JSON.

Names and garbage come from strangers' logs: control characters are shown as escapes, never sent to one.
"""

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, TextIO

from ..replay.cards import RANKS, SUITS
from . import Format, UserError
from .streams import SUIT_SIGNS, take_exact_text

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from rich.console import Console, RenderableType
    from rich.text import Text

    from ..analytics.store import Store

_UNPRINTED: Final = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_WIDE: Final = 4000
_CHUNK: Final = 2000
_WHOLE: Final = {"match": 20, "match_id": 20, "hand": 26, "other_hand": 26}
"""The longest names that people copy."""
_DIGITS: Final = 12
"""Of a float, in CSV and JSON: those behind them depend on the order of a sum, which threads change."""
_SAFE: Final = 1 << 53
"""JavaScript, and a spreadsheet's cell, hold no whole number beyond it exactly."""
_ID_NAME: Final = re.compile(r"(?:^|_)(?:ids?|hash)$|^card_set$|^duplicate_group$")


class Id(str):
    """A 64-bit id or hash: text in JSON, quoted in CSV, so that no reader rounds it."""

    __slots__ = ()


@dataclass(frozen=True)
class Answer:
    """A table: names of its columns, and its rows, which may be read only once.

    formats: how a column's values are written in a table; without one by `plain`.
    faint: which rows say little (a rate of few cases) and are shown so.
    part: of which part of the table a row is; a line is drawn between two parts.
    exact: CSV and JSON have every digit of a float, not those that each run has alike.
    notes: lines below the table.
    """

    columns: Sequence[str]
    rows: Iterable[Sequence[Any]]
    title: str = ""
    formats: Mapping[str, Callable[[Any], "str | Text"]] = field(default_factory=dict)
    faint: Callable[[Sequence[Any]], bool] | None = None
    part: Callable[[Sequence[Any]], object] | None = None
    exact: bool = False
    notes: Sequence[str] = ()


def printable(text: str) -> str:
    """Text with control, bidirectional and unassigned characters written as escapes."""
    if text.isascii() and text.isprintable():
        return text
    from unicodedata import category

    def shown(char: str) -> str:
        return repr(char)[1:-1] if category(char) in _UNPRINTED else char

    return "".join(map(shown, text))


def minus(number: str) -> str:
    """A number with the minus sign of tables; that of an exponent stays."""
    return f"−{number[1:]}" if number.startswith("-") else number


def words(key: str | None) -> str:
    """A key of the store as people read it: engine deviation."""
    return printable((key or "").replace("_", " "))


def plain(value: Any) -> str:
    """A value as text: nothing for null, whole numbers without a point, lists in brackets."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Decimal) and value == value // 1:
        value = int(value)
    if isinstance(value, float | Decimal):
        number = float(value)
        digits = ".0f" if number.is_integer() else ".4g" if abs(number) < 1 else ".2f"
        return minus(f"{number:{digits}}")
    if isinstance(value, int):
        return minus(str(value))
    if isinstance(value, list | tuple):
        return "[" + " ".join(map(plain, value)) + "]"
    return printable(str(value))


_CARDS: Final = re.compile(rf"\[((?:[{RANKS}][{SUITS}] ?)+)\]")


def with_suits(text: str | None) -> "Text":
    """A text whose cards in brackets, `[As 4h]`, are shown with suit signs, the red suits in red."""
    from rich.text import Text

    shown = Text()
    at = 0
    text = printable(text or "")
    for found in _CARDS.finditer(text):
        shown.append(text[at : found.start()])
        for place, card in enumerate(found[1].split()):
            shown.append(" " if place else "")
            shown.append(card[0] + SUIT_SIGNS[card[1]], style="bold red" if card[1] in "dh" else "bold")
        at = found.end()
    shown.append(text[at:])
    return shown


def percent(value: float | None) -> str:
    """A share as 12.3%, −4.5%."""
    return "" if value is None else f"{_hundredths(value, 1)}%"


def _hundredths(value: float, digits: int) -> str:
    shown = minus(f"{100 * value:.{digits}f}")
    return shown if any(sign in "123456789" for sign in shown) else shown.removeprefix("−")


def chance(value: float | None) -> str:
    """A p or q: 0.024, or <0.001."""
    return "" if value is None else "<0.001" if value < 0.001 else f"{value:.3f}"


def chips(value: float | None) -> str:
    """An amount with thousands marked: 12,345, −1.50."""
    if value is None:
        return ""
    # Koper's are sums of parts of cents.
    size = round(abs(value), 2)
    return f"{'−' if value < 0 < size else ''}{size:,.{0 if size == size // 1 else 2}f}"


def signed(value: float | None) -> str:
    """An amount with its sign: +12,345, −1.50, 0."""
    if value is None:
        return ""
    return f"{'+' if round(value, 2) > 0 else ''}{chips(value)}"


_TIE: Final = 1e-9
"""More than two ways of adding up the same figure differ by."""


def tied(value: float, digits: int) -> float:
    """A figure with so many digits; a tie goes away from 0, whichever way its sum was added up."""
    return math.copysign(math.floor((abs(value) + _TIE) * 10**digits + 0.5) / 10**digits, value)


def counted(count: int, what: str) -> str:
    """How many of a thing there are: 1 hand, 1,200 hands, 3 matches."""
    return f"{count:,} {what}{'' if count == 1 else 'es' if what.endswith('ch') else 's'}"


def interval(low: float | None, high: float | None, digits: int = 1) -> str:
    """An interval of shares as 12.3–45.6%, or −4.5 to 6.7% where an end is negative."""
    if low is None or high is None:
        return ""
    first, last = _hundredths(low, digits), _hundredths(high, digits)
    return f"{first} to {last}%" if "−" in first + last else f"{first}–{last}%"


_BLOCKS: Final = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float], width: int = 40) -> str:
    """A curve as one line of blocks; of each of at most `width` cells the last value."""
    if not values:
        return ""
    cells = min(width, len(values))
    picked = [values[(k + 1) * len(values) // cells - 1] for k in range(cells)]
    low, high = min(picked), max(picked)
    scale = (len(_BLOCKS) - 1) / (high - low) if high > low else 0.0
    return "".join(_BLOCKS[round((value - low) * scale)] for value in picked)


def console(file: TextIO | None = None) -> "Console":
    """A console on standard output, as wide as it likes where that is no terminal."""
    from rich.console import Console

    out = file or sys.stdout
    wide = None if out.isatty() else _WIDE
    return Console(file=out, width=wide, highlight=False, markup=False, emoji=False, soft_wrap=False)


def _is_numeric(column: Sequence[Any]) -> bool:
    known = [value for value in column if value is not None]
    return bool(known) and all(
        isinstance(value, int | float | Decimal | Id) and not isinstance(value, bool) for value in known
    )


def table(answer: Answer, width: int) -> "RenderableType":
    """An answer as a table of at most so many columns of the screen."""
    from rich.text import Text

    from .layout import WORD, Column, lay_out

    rows = [tuple(row) for row in answer.rows]
    columns = []
    for place, name in enumerate(answer.columns):
        writer = answer.formats.get(name)
        values = [row[place] for row in rows]
        numeric = writer not in (with_suits, words) and (writer or _is_numeric(values))
        made = [(writer or plain)(value) for value in values]
        cells = [Text(cell) if isinstance(cell, str) else cell for cell in made]
        heading = Text(printable(name.replace("_", " ")))
        columns.append(Column(heading, cells, "right" if numeric else "left", _WHOLE.get(name, WORD)))
    styles = ["dim" if answer.faint and answer.faint(row) else "" for row in rows]
    parts = [answer.part(row) for row in rows] if answer.part else []
    sections = [place for place in range(1, len(parts)) if parts[place] != parts[place - 1]]
    return lay_out(columns, width, printable(answer.title), styles, sections)


def _figure(value: float, exact: bool) -> float:
    return value if exact or value.is_integer() else float(f"{value:.{_DIGITS}g}")


def json_value(value: Any, exact: bool = False) -> Any:
    """A value as JSON has it: no NaN, bytes as hex digits, floats to twelve digits unless they are to be exact.

    A whole number that JavaScript would round is text.
    """
    if isinstance(value, float):
        return _figure(value, exact) if math.isfinite(value) else None
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Decimal) and value == value // 1:
        value = int(value)
    if isinstance(value, int):
        return value if abs(value) <= _SAFE else str(value)
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, list | tuple):
        return [json_value(item, exact) for item in value]
    if isinstance(value, dict):
        return {str(key): json_value(item, exact) for key, item in value.items()}
    return value.hex() if isinstance(value, bytes) else str(value)


def _write_json(answer: Answer, out: TextIO) -> None:
    if twice := [name for name, times in Counter(answer.columns).items() if times > 1]:
        raise UserError(f"two columns are named {twice[0]!r}: rename one with AS")
    rows = iter(answer.rows)
    first = next(rows, None)  # a query that fails does so before the bracket is out
    out.write("[")
    separator = "\n"
    for row in chain(() if first is None else (first,), rows):
        values = (json_value(value, answer.exact) for value in row)
        record = dict(zip(answer.columns, values, strict=True))
        out.write(separator + json.dumps(record))
        separator = ",\n"
    out.write("\n]\n" if first is not None else "]\n")


_SPECIAL: Final = re.compile('[,"\r\n]')


def _csv_value(value: Any, escape: bool, exact: bool) -> str:
    """A value as a cell of CSV, in quotes where it must be, and where it is an id."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    if isinstance(value, list | tuple | dict):
        value = json.dumps(json_value(value, exact), ensure_ascii=False)
    elif isinstance(value, float):
        return repr(_figure(value, exact))
    text = str(value)
    if escape:
        text = printable(text)
    is_id = isinstance(value, Id) or (isinstance(value, int) and abs(value) > _SAFE)
    return '"' + text.replace('"', '""') + '"' if is_id or _SPECIAL.search(text) else text


def _csv_line(cells: list[str]) -> str:
    # An empty line would be no row.
    return (",".join(cells) if cells != [""] else '""') + "\n"


def _write_csv(answer: Answer, out: TextIO) -> None:
    # A file gets the exact text; a terminal none of its control codes.
    escape = out.isatty()
    take_exact_text(out)
    rows = iter(answer.rows)
    first = next(rows, None)
    out.write(_csv_line([_csv_value(name, escape, answer.exact) for name in answer.columns]))
    for row in chain(() if first is None else (first,), rows):
        out.write(_csv_line([_csv_value(value, escape, answer.exact) for value in row]))


def write(answer: Answer, form: Format = Format.TABLE, file: TextIO | None = None) -> None:
    """Print an answer: an aligned table, CSV with a header, or one JSON array of objects and nothing else."""
    out = file or sys.stdout
    if form is Format.JSON:
        _write_json(answer, out)
    elif form is Format.CSV:
        _write_csv(answer, out)
    else:
        screen = console(out)
        screen.print(table(answer, screen.width), *map(printable, answer.notes), sep="\n")


Writer = Callable[[Any], Any]
"""Puts `Id` for the ids in a value."""


def _writer(kind: Any) -> Writer | None:
    """What makes ids of the 64-bit unsigned numbers in values of a DuckDB type; None where it has none."""
    if kind.id == "ubigint":
        return lambda value: None if value is None else Id(value)
    if kind.id in ("list", "array"):
        inner = _writer(kind.children[0][1])
        return None if inner is None else partial(_written_items, inner=inner)
    if kind.id in ("struct", "tuple"):
        fields = [(name, _writer(child)) for name, child in kind.children]
        return partial(_written_fields, fields=fields) if any(inner for _, inner in fields) else None
    if kind.id == "map":
        # A histogram's counts are of this type; the keys are text in JSON anyway.
        (_, _), (_, child) = kind.children
        inner = None if child.id == "ubigint" else _writer(child)
        return None if inner is None else partial(_written_items, inner=inner)
    return None


def _written_items(value: Any, inner: Writer) -> Any:
    if value is None:
        return None
    if isinstance(value, dict):
        return {key: inner(item) for key, item in value.items()}
    return [inner(item) for item in value]


def _written_fields(value: Any, fields: Sequence[tuple[str, Writer | None]]) -> Any:
    if value is None:
        return None
    if isinstance(value, dict):
        return {name: inner(value[name]) if inner else value[name] for name, inner in fields}
    return tuple(inner(item) if inner else item for item, (_, inner) in zip(value, fields, strict=True))


def _id_within(value: Any) -> Any:
    """An id, or a list of them."""
    if isinstance(value, list | tuple):
        return [_id_within(item) for item in value]
    return Id(value) if isinstance(value, int) and not isinstance(value, bool) else value


def _with_ids(rows: Iterable[Sequence[Any]], writers: Mapping[int, Writer]) -> Iterator[Sequence[Any]]:
    for row in rows:
        cells = list(row)
        for place, inner in writers.items():
            cells[place] = inner(cells[place])
        yield cells


def composed(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> Answer:
    """An answer for a program whose rows were made here, not by one query: ids are known by their columns' names."""
    writers = {place: _id_within for place, name in enumerate(columns) if _ID_NAME.search(name)}
    return Answer(columns, _with_ids(rows, writers))


def _rows(cursor: Any) -> Iterator[Sequence[Any]]:
    writers = {
        place: inner
        for place, column in enumerate(cursor.description or ())
        if (inner := _writer(column[1])) is not None
    }
    while rows := cursor.fetchmany(_CHUNK):
        yield from _with_ids(rows, writers) if writers else rows


def answer(store: "Store", query: str, **params: object) -> Answer:
    """The answer to a query over a store, read piece by piece; duckdb.Error where the query is wrong."""
    # A relation would be run again for every piece.
    return answered(store.cursor(query).execute(query, params or None))


def answered(cursor: "DuckDBPyConnection", exact: bool = False) -> Answer:
    """The answer that a connection holds, read piece by piece."""
    return Answer([column[0] for column in cursor.description or ()], _rows(cursor), exact=exact)
