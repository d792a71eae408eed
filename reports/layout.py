"""Tables that fit the screen: every cell can be read at any width."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.text import Text

WORD: Final = 8
"""Letters of a word that stay together wherever there is a table, whatever signs are among them."""
_PIECE: Final = 16
"""Letters that stay together where no sign is among them: the words of a language have fewer."""
_LINES: Final = 5
"""Lines of a text in a table; where it would take more, rows are written as records."""
_JOINTS: Final = frozenset("-._+:/\\|#,")
"""Signs after which a word that is too long is broken rather than between two letters."""
_PIECES: Final = re.compile(rf"[^{re.escape(''.join(_JOINTS))}]*[{re.escape(''.join(_JOINTS))}]*")
_HEADING_PIECES: Final = re.compile(r"[^-]*-*")


@dataclass(frozen=True)
class Column:
    """A column's heading and cells. word: letters of a word that stay together."""

    heading: "Text"
    cells: "Sequence[Text]"
    side: Literal["left", "right"] = "left"
    word: int = WORD

    @property
    def most(self) -> int:
        """The width at which nothing is broken."""
        return max(text.cell_len for text in (self.heading, *self.cells))

    @property
    def least(self) -> int:
        """The width below which it cannot be read. A number is never broken, nor a heading but at its hyphens."""
        heading = max((_longest(word, _HEADING_PIECES) for word in self.heading.plain.split(" ")), default=0)
        cells = max((self._least_of(cell.plain) for cell in self.cells), default=0)
        return max(cells, heading, 1)

    def _least_of(self, cell: str) -> int:
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
    """A table of at most `width`; where no table can be read, each row as `heading: cell`, one after the other.

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
    """True where `lay_out` draws a table."""
    return sum(column.least for column in columns) + len(columns) - 1 <= width


def _fitted(most: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """Widths that fill the room, the widest columns made narrower."""
    widths = [max(pair) for pair in zip(most, least, strict=True)]
    for _ in range(sum(widths) - room):
        widest = max((k for k in range(len(widths)) if widths[k] > least[k]), key=lambda k: widths[k])
        widths[widest] -= 1
    return widths


def _folded(cell: "Text", width: int) -> "Text":
    """A cell whose words fit the width: a longer one is broken behind its last joint that does, if it has one."""
    from rich.cells import cell_len
    from rich.text import Text

    if cell.cell_len <= width:
        return cell
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
    """A heading whose words fit the width, parted at hyphens."""
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
