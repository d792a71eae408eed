"""Output for a terminal or another program: aligned tables, CSV and JSON.

Names and garbage come from strangers' logs: control characters are printed as escapes. Tables fit the width of the
screen; every cell stays readable. Signs that the encoding of standard output lacks are printed in ASCII.
"""

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial
from io import TextIOWrapper
from itertools import chain
from typing import TYPE_CHECKING, Any, Final, Literal, TextIO

from ..schema.words import LOWEST, RANKS, SUITS
from . import Format, UserError

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from rich.console import Console, RenderableType
    from rich.text import Text

    from ..analytics.store import Store

WIDTH: Final = 80
"""Cells of the lines of a text answer."""
_UNPRINTED: Final = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_WIDE: Final = 4000
_CHUNK: Final = 2000
_WHOLE: Final = {"match": 20, "match_id": 20, "hand": 26, "other_hand": 26}
"""Widths of names that people copy: they are never broken."""
_OF_WHOM: Final = frozenset(("game", "event", "player"))
_DIGITS: Final = 12
"""Digits of a float in CSV and JSON: later ones depend on the order of a sum, which threads change."""
_SAFE: Final = 1 << 53
"""The largest integer that JavaScript and spreadsheets hold exactly."""
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
    minor: columns that a terminal leaves out where the table would not fit, the first one first.
    """

    columns: Sequence[str]
    rows: Iterable[Sequence[Any]]
    title: str = ""
    formats: Mapping[str, Callable[[Any], "str | Text"]] = field(default_factory=dict)
    faint: Callable[[Sequence[Any]], bool] | None = None
    part: Callable[[Sequence[Any]], object] | None = None
    exact: bool = False
    notes: Sequence[str] = ()
    minor: Sequence[str] = ()


def alike(records: Sequence[Mapping[str, Any]], names: Sequence[str]) -> list[str]:
    """The names under which all records have the same."""
    return [name for name in names if len({str(record.get(name)) for record in records}) == 1]


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


def digits(value: float, most: int = 3) -> str:
    """A number without an exponent, with so many digits or all before the point: 0.0000909, -0.25, 9,254."""
    if not value or not math.isfinite(value):
        return f"{value:g}"
    places = max(most - 1 - math.floor(math.log10(abs(value))), 0)
    text = f"{value:,.{places}f}"
    return text.rstrip("0").rstrip(".") if places else text


def words(key: str | None) -> str:
    """A key of the store in words: engine deviation."""
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
        return "[" + " ".join("?" if one is None else plain(one) for one in value) + "]"
    return printable(str(value))


_CARDS: Final = re.compile(rf"\[((?:[{LOWEST}{RANKS}][{SUITS}] ?)+)\]")


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


def steady(value: float) -> float:
    """A number without its last bits, which the order of a sum decides: it is written in one way, ties too."""
    return round(value, 9)


def _hundredths(value: float, digits: int) -> str:
    shown = minus(f"{steady(100 * value):.{digits}f}")
    return shown if any(sign in "123456789" for sign in shown) else shown.removeprefix("−")


def chance(value: float | None) -> str:
    """A p or q: 0.024, or <0.001."""
    return "" if value is None else "<0.001" if value < 0.001 else f"{value:.3f}"


def chips(value: float | None) -> str:
    """An amount with thousands marked: 12,345, −1.50."""
    if value is None:
        return ""
    # Koper's are sums of parts of cents.
    size = round(steady(abs(value)), 2)
    return f"{'−' if value < 0 < size else ''}{size:,.{0 if size == size // 1 else 2}f}"


def signed(value: float | None) -> str:
    """An amount with its sign: +12,345, −1.50, 0."""
    if value is None:
        return ""
    return f"{'+' if round(value, 2) > 0 else ''}{chips(value)}"


def won_chips(value: float) -> str:
    """What became of a player: won 12,345 chips, lost 1.50 chips, won 0 chips."""
    return f"{'lost' if chips(value).startswith('−') else 'won'} {chips(abs(value))} chips"


def tied(value: float, digits: int) -> float:
    """A number rounded to some digits; a tie is rounded away from 0, whatever the order of its sum was."""
    return math.copysign(math.floor(abs(steady(value)) * 10**digits + 0.5) / 10**digits, value)


def rate(value: float | None) -> str:
    """A signed figure, with one digit below 100; a tie goes away from 0, whichever way its sum was added up."""
    if value is None:
        return ""
    digits = 1 if abs(tied(value, 1)) < 100 else 0
    return minus(f"{tied(value, digits):+,.{digits}f}")


def small(value: float, sign: str = "") -> str:
    """A number with one decimal, or where that is 0 with one digit: 12.3, −1.5, 0.02, 0; sign: "+" writes it."""
    if tied(value, 1):
        return minus(f"{tied(value, 1):{sign}.1f}")
    return minus(f"{value:{sign}.1g}") if value else "0"


def counted(count: int, what: str) -> str:
    """A count in words: 1 hand, 1,200 hands, 3 matches."""
    return f"{count:,} {what}{'' if count == 1 else 'es' if what.endswith('ch') else 's'}"


def interval(low: float | None, high: float | None, digits: int = 1) -> str:
    """An interval of shares as 12.3–45.6%, or −4.5 to 6.7% where an end is negative."""
    if low is None or high is None:
        return ""
    first, last = _hundredths(low, digits), _hundredths(high, digits)
    return f"{first} to {last}%" if "−" in first + last else f"{first}–{last}%"


_BLOCKS: Final = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float], width: int = 40) -> str:
    """A curve as one line of at most `width` blocks; each shows the last value of its stretch."""
    if not values:
        return ""
    cells = min(width, len(values))
    picked = [values[(k + 1) * len(values) // cells - 1] for k in range(cells)]
    low, high = min(picked), max(picked)
    scale = (len(_BLOCKS) - 1) / (high - low) if high > low else 0.0
    return "".join(_BLOCKS[round((value - low) * scale)] for value in picked)


def console(file: TextIO | None = None) -> "Console":
    """A console on standard output, very wide if that is not a terminal."""
    from rich.console import Console

    out = file or sys.stdout
    wide = None if out.isatty() else _WIDE
    return Console(file=out, width=wide, highlight=False, markup=False, emoji=False, soft_wrap=False)


def say(text: str, first: str = "", later: str = "") -> None:
    """Print prose in the lines of `wrapped`."""
    print("\n".join(wrapped(text, first, later)))


def _is_numeric(column: Sequence[Any]) -> bool:
    known = [value for value in column if value is not None]
    return bool(known) and all(
        isinstance(value, int | float | Decimal | Id) and not isinstance(value, bool) for value in known
    )


def table(answer: Answer, width: int) -> "RenderableType":
    """An answer as a table that fits `width` characters."""
    from rich.console import Group
    from rich.text import Text

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
    kept, left_out = _that_fit(dict(zip(answer.columns, columns, strict=True)), answer.minor, width)
    drawn = lay_out(kept, width, printable(answer.title), styles, sections)
    if not left_out:
        return drawn
    return Group(drawn, Text(f"Left out at this width: {', '.join(left_out)}; --format csv has all."))


def _that_fit(
    columns: "Mapping[str, Column]", minor: Sequence[str], width: int
) -> tuple[list["Column"], list[str]]:
    """The columns without as many of the minor ones as it takes to draw a table, and the names of those.

    A name has the cell, where all cells are the same: such a column goes before a cell is broken.
    All columns where none are enough: a record has room for them.
    """
    # Intervals stay in one line if leaving out minor columns is enough.
    unbroken_intervals = {name: replace(column, whole=True) for name, column in columns.items()}
    return (
        _without_minor(unbroken_intervals, minor, width)
        or _without_minor(columns, minor, width)
        or ([*columns.values()], [])
    )


def _without_minor(
    columns: "Mapping[str, Column]", minor: Sequence[str], width: int
) -> tuple[list["Column"], list[str]] | None:
    """The result of `_that_fit`; None if no table can be drawn."""
    left_out: list[str] = []
    kept = dict(columns)
    if not fits([*kept.values()], width) or sum(column.most + 1 for column in kept.values()) - 1 > width:
        # What is empty in every row says nothing.
        kept = {
            name: column for name, column in kept.items() if any(one.plain for one in column.cells)
        } or kept
    cells = {name: {str(one) for one in columns[name].cells} for name in minor if name in columns}
    alike = {name: some.pop() for name, some in cells.items() if len(some) == 1}
    # What else stands in a table of one row is what was asked for.
    idle = {name for name in alike if name in _OF_WHOM or len(columns[name].cells) > 1}
    while True:
        drawn = fits([*kept.values()], width)
        if drawn and sum(column.most + 1 for column in kept.values()) - 1 <= width:
            break
        more = next((name for name in minor if name in kept and (name in idle or not drawn)), None)
        if more is None:
            if drawn:
                break
            return None
        del kept[more]
        left_out.append(f"{more} ({alike[more]})" if alike.get(more) else more)
    return [*kept.values()], left_out


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
"""Replaces the ids in a value by `Id`."""


def _writer(kind: Any) -> Writer | None:
    """A function that replaces 64-bit unsigned numbers of a DuckDB type by `Id`; None if the type has none."""
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
    """An answer whose rows were not read by one query; ids are recognised by the names of their columns."""
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
    """The answer to a query over a store, read piece by piece; duckdb.Error if the query is wrong."""
    # A relation would be run again for every piece.
    return answered(store.cursor(query).execute(query, params or None))


def answered(cursor: "DuckDBPyConnection", exact: bool = False) -> Answer:
    """The answer of a connection, read piece by piece."""
    return Answer([column[0] for column in cursor.description or ()], _rows(cursor), exact=exact)


WORD: Final = 8
"""Characters of a word that a table never separates."""
_PIECE: Final = 16
"""Letters that stay together if no sign is among them: words of a language are shorter."""
_LINES: Final = 5
"""The most lines of a text in a table; longer texts make the rows records."""
_JOINTS: Final = frozenset("-._+:/\\|#,")
"""Signs after which a long word is broken, rather than between two letters."""
_PIECES: Final = re.compile(rf"[^{re.escape(''.join(_JOINTS))}]*[{re.escape(''.join(_JOINTS))}]*")
_HEADING_PIECES: Final = re.compile(r"[^-]*-*")
_INTERVAL: Final = re.compile(r"([+−-]?[\d,.]+%? to) ([+−-]?[\d,.]+%?)")
"""An interval of two numbers, which takes two lines where it does not fit one."""


@dataclass(frozen=True)
class Column:
    """A column's heading and cells.

    word: characters of a word that stay together.
    whole: intervals stay in one line.
    """

    heading: "Text"
    cells: "Sequence[Text]"
    side: Literal["left", "right"] = "left"
    word: int = WORD
    whole: bool = False

    @property
    def most(self) -> int:
        """The width at which nothing is broken."""
        return max(text.cell_len for text in (self.heading, *self.cells))

    @property
    def least(self) -> int:
        """The least readable width. Numbers are never broken, headings only at hyphens."""
        heading = max((_longest(word, _HEADING_PIECES) for word in self.heading.plain.split(" ")), default=0)
        cells = max((self._least_of(cell.plain) for cell in self.cells), default=0)
        return max(cells, heading, 1)

    def _least_of(self, cell: str) -> int:
        if ends := _INTERVAL.fullmatch(cell):
            return _cells(cell) if self.whole else max(map(_cells, ends.groups()))
        words = cell.split(" ")
        if self.side == "right":
            return max(map(_cells, words))
        # A line of a narrow column is seldom full.
        lines = -(-_cells(cell) // (_LINES - 1)) if len(words) > _LINES else 0
        return max(lines, *map(self._least_word, words))

    def _least_word(self, word: str) -> int:
        if _is_number(word):
            return _cells(word)
        return max(min(_cells(word), self.word), min(_longest(word, _PIECES), _PIECE))


def _is_number(word: str) -> bool:
    """A word of digits and signs only."""
    return any(sign.isdigit() for sign in word) and not any(sign.isalpha() for sign in word)


def _cells(text: str) -> int:
    from rich.cells import cell_len

    return cell_len(text)


def _longest(word: str, pieces: "re.Pattern[str]") -> int:
    return max(map(_cells, pieces.findall(word)), default=0)


def lay_out(
    columns: Sequence[Column],
    width: int,
    title: str = "",
    styles: Sequence[str] = (),
    sections: Sequence[int] = (),
) -> "RenderableType":
    """A table of at most `width`; if no table is readable at that width, each row as a record of `heading: cell`.

    styles: of the rows; sections: rows above which a line is drawn
    """
    from rich import box
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    most = [column.most for column in columns]
    roomy = sum(most) + 2 * len(most) <= width
    if not roomy and not fits(columns, width):
        return _records(columns, title, width, styles)
    widths = most if roomy else _fitted(most, [column.least for column in columns], width - len(most) + 1)
    drawn = Table(
        box=box.SIMPLE_HEAD,
        pad_edge=False,
        show_edge=roomy,
        padding=(0, 1, 0, 0) if roomy else 0,
    )
    for column, size in zip(columns, widths, strict=True):
        drawn.add_column(
            _split(column.heading, size),
            justify=column.side,
            overflow="fold",
            width=None if roomy else size,
        )
    for place, row in enumerate(zip(*(column.cells for column in columns), strict=True)):
        if place in sections:
            drawn.add_section()
        cells = [_folded(cell, size) for cell, size in zip(row, widths, strict=True)]
        drawn.add_row(*cells, style=styles[place] if styles else None)
    # A title of the table itself would be broken at the table's width.
    return Group(Text(title, style="bold"), drawn) if title else drawn


def fits(columns: Sequence[Column], width: int) -> bool:
    """True if `lay_out` draws a table."""
    return sum(column.least for column in columns) + len(columns) - 1 <= width


def _fitted(most: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Widths that fit the room; the widest columns become narrower."""
    widths = [max(pair) for pair in zip(most, least, strict=True)]
    for _ in range(sum(widths) - room):
        widest = max((k for k in range(len(widths)) if widths[k] > least[k]), key=lambda k: widths[k])
        widths[widest] -= 1
    return widths


def _folded(cell: "Text", width: int) -> "Text":
    """A cell whose words fit the width; a longer word is broken after the last sign that fits, if there is one."""
    from rich.cells import cell_len
    from rich.text import Text

    if cell.cell_len <= width:
        return cell
    if ends := _INTERVAL.fullmatch(cell.plain):
        return Text("\n").join((cell[: ends.end(1)], cell[ends.start(2) :]))
    folds: list[int] = []
    used, joint = 0, 0
    for place, sign in enumerate(cell.plain):
        if sign.isspace():
            used = joint = 0
            continue
        used += cell_len(sign)
        if used > width:
            fold = joint or place
            folds.append(fold)
            used, joint = cell_len(cell.plain[fold : place + 1]), 0
        if sign in _JOINTS:
            joint = place + 1
    return Text("\n").join(cell.divide(folds)) if folds else cell


def _split(heading: "Text", width: int) -> "Text":
    """A heading whose words fit the width, broken at hyphens."""
    from rich.text import Text

    words = []
    for word in heading.plain.split(" "):
        if _cells(word) <= width:
            words.append(word)
            continue
        line = ""
        for piece in _HEADING_PIECES.findall(word):
            if line and _cells(line + piece) > width:
                words.append(line)
                line = ""
            line += piece
        words.append(line)
    return Text(" ".join(words))


def _records(columns: Sequence[Column], title: str, width: int, styles: Sequence[str]) -> "RenderableType":
    from rich.console import Group
    from rich.text import Text

    lines = [Text(title, style="bold")] if title else []
    for place, row in enumerate(zip(*(column.cells for column in columns), strict=True)):
        pairs = [
            Text.assemble((f"{column.heading.plain}: ", "bold"), cell)
            for column, cell in zip(columns, row, strict=True)
            if cell.plain
        ]
        lines.append(Text())
        for line in _flowing(pairs, width):
            line.overflow = "fold"
            line.stylize(styles[place] if styles else "")
            lines.append(line)
    return Group(*lines, Text())


def _flowing(pairs: "Sequence[Text]", width: int) -> "Iterator[Text]":
    """Lines of pairs, no pair over two lines that fits one; all lines but the first are moved in."""
    from rich.text import Text

    line = Text()
    for pair in pairs:
        if line.plain.strip() and line.cell_len + 2 + pair.cell_len > width:
            yield line
            line = Text("  ")
        elif line.plain.strip():
            line.append("  ")
        line.append_text(pair)
    yield line


SUIT_SIGNS: Final = dict(zip(SUITS, "♣♦♥♠", strict=True))

_ASCII: Final = str.maketrans(
    {
        **dict(zip("−–’·±²√…", ("-", "-", "'", ".", "+-", "2", "sqrt ", "..."), strict=True)),
        "\N{NO-BREAK SPACE}": " ",
        **{sign: suit for suit, sign in SUIT_SIGNS.items()},
        **dict(zip("▁▂▃▄▅▆▇█", "_.-=+*%#", strict=True)),
    }
)
"""The signs that railbird itself prints, in ASCII."""


def in_ascii(error: UnicodeError) -> tuple[str, int]:
    """An error handler of codecs: what an encoding lacks becomes ASCII, or an escape."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    text = error.object[error.start : error.end].translate(_ASCII)
    return text.encode("ascii", "backslashreplace").decode(), error.end


def take_exact_text(stream: TextIO) -> None:
    """Make a stream that is not a terminal write UTF-8, like all files of railbird."""
    if isinstance(stream, TextIOWrapper) and not stream.isatty():
        stream.reconfigure(encoding="utf-8", errors="surrogateescape")


_MOST_DIGITS: Final = 2


def brief_interval(low: float | None, high: float | None, digits: int = 0) -> str:
    """An interval of shares in whole percent: 12–45%; with more digits if its ends are equal, or round to 0% or 100%.

    99.86–99.97%, 0.0–0.4% of 0 to 0.004; an end that is 0 or 1 is written so.
    """
    if low is None or high is None:
        return ""
    while digits < _MOST_DIGITS and _says_too_little(low, high, digits):
        digits += 1
    return interval(low, high, digits)


def _says_too_little(low: float, high: float, digits: int) -> bool:
    ends = [(value, round(100 * value, digits)) for value in (low, high)]
    alike = low < high and ends[0][1] == ends[1][1]
    return alike or any(said in (0, 100) and 0 < value < 1 for value, said in ends)


def by_chance(expected: float) -> str:
    """An expected count: with one digit below ten, so that few are not printed as 0."""
    return f"{expected:.1f}" if expected < 10 else f"{expected:.0f}"


def wrapped(text: str, first: str = "", later: str = "") -> Iterator[str]:
    """Prose in lines broken between words, of at most WIDTH cells, or those of a narrower terminal.

    first, later: what the first line and the other lines begin with; line ends in the text are spaces
    """
    from rich.cells import cell_len

    width = min(WIDTH, console().width)
    line, is_empty = first, True
    for word in text.replace("\n", " ").split(" "):
        joined = line + word if is_empty else f"{line} {word}"
        if not is_empty and cell_len(joined) > width:
            yield line
            joined = later + word
        line, is_empty = joined, False
    yield line


def unbroken(text: str) -> str:
    """A text that `wrapped` does not break: no-break spaces for spaces."""
    return text.replace(" ", "\u00a0")
