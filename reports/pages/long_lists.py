"""Lists that are too long for one page: they are divided among pages of their own, so that no page passes 2 MB.

A template gives the rows of a list, and what a row looks like; what does not fit goes to pages NAME-1.html, NAME-2.html
and so on, each with links to the next and the one before.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

PAGE_MOST: Final = 1_000_000
"""Bytes of the rows of a list on one page; a single row that is larger has a page to itself."""
SECTIONS_MOST: Final = 1_500_000
"""Bytes of the sections of one page."""
TABLE_MOST: Final = 200_000
"""Bytes of the rows of a table on a page that has other parts."""
FIRST_MOST: Final = 50
"""Rows of a divided list that the page it belongs to shows."""
LINKED_MOST: Final = 20
"""Pages of a divided list that an address names."""


@dataclass(frozen=True)
class Pager:
    """A page of a divided list: its number from 1, the names of all pages, and the rows (first, last, of all)."""

    number: int
    pages: Sequence[str]
    rows: tuple[int, int, int]

    @property
    def shown(self) -> list[tuple[int, str]]:
        """Numbers and names of the pages that are linked: the first, the last, those near by and some between."""
        last = len(self.pages)
        near = {1, last, *range(max(1, self.number - 3), min(last, self.number + 3) + 1)}
        near |= {*range(10, last, max(10, 10 * (last // 100)))}
        return [(number, self.pages[number - 1]) for number in sorted(near)]


def divided(texts: Sequence[str], most: int) -> list[range]:
    """The places of texts one behind the other, in stretches of at most `most` bytes, or of a single longer text."""
    found: list[range] = []
    start = size = 0
    for place, text in enumerate(texts):
        more = len(text.encode())
        if place > start and size + more > most:
            found.append(range(start, place))
            start, size = place, 0
        size += more
    return [*found, range(start, len(texts))]


@dataclass
class LongLists:
    """The long lists of a report.

    write  writes a page: its file, its template and the template's context
    """

    write: Callable[..., Path]
    _pages: dict[str, dict[frozenset[str], list[str]]] = field(default_factory=dict)
    _sections: dict[str, str] = field(default_factory=dict)

    def table(
        self,
        rows: Iterable[Any],
        *,
        name: str,
        page: str,
        title: str,
        head: str,
        caller: Callable[[Any], str],
        classes: str = "sortable",
        most: int = TABLE_MOST,
        first: Callable[[], Sequence[Any]] | None = None,
        first_said: str = "",
        keys: Callable[[Any], str] | None = None,
    ) -> Markup:
        """A table of rows; if they are too long, some of them and links to pages with all.

        name     of its pages; page: the file of the page that it belongs to; title: of its pages
        head     the row of headings; caller: a row as HTML, which begins with <tr
        most     bytes that a table on its page may have
        first    the rows that its page shows of a divided list, by default the first ones; first_said: their order
        keys     of a row, separated by spaces, for `address`
        """
        every = list(rows)
        texts = [caller(row) for row in every]
        if sum(len(text.encode()) for text in texts) <= most:
            return _table(head, texts, classes)
        parts = divided(texts, PAGE_MOST)
        pages = [f"{name}-{number}.html" for number in range(1, len(parts) + 1)]
        if keys:
            self._note(name, [keys(row) for row in every], parts, pages)
        for number, part in enumerate(parts, 1):
            pager = Pager(number, pages, (part.start + 1, part.stop, len(texts)))
            table = _table(head, texts[part.start : part.stop], classes, name)
            self.write(pages[number - 1], "list.html", pager=pager, of=page, heading=title, table=table)
        some = [caller(row) for row in first()] if first else texts
        shown = divided(some[:FIRST_MOST], most)[0]
        pager = Pager(0, pages, (1, len(shown), len(texts)))
        note = self._some(pager, title, first_said)
        return note + _table(head, some[: shown.stop], classes.replace("filterable", ""))

    def cards(
        self, items: Iterable[Any], *, name: str, page: str, title: str, caller: Callable[[Any], str]
    ) -> Markup:
        """Cards one below the other; if they are too long, the first of them and links to pages with all.

        name    of its pages; page: the file of the page that they belong to; title: of its pages
        caller  a card as HTML
        """
        texts = [caller(item) for item in items]
        first = divided(texts, TABLE_MOST)[0]
        shown = Markup("").join(map(Markup, texts[: first.stop]))
        if first.stop == len(texts):
            return shown
        parts = divided(texts, PAGE_MOST)
        pages = [f"{name}-{number}.html" for number in range(1, len(parts) + 1)]
        for number, part in enumerate(parts, 1):
            pager = Pager(number, pages, (part.start + 1, part.stop, len(texts)))
            table = Markup("").join(map(Markup, texts[part.start : part.stop]))
            self.write(pages[number - 1], "list.html", pager=pager, of=page, heading=title, table=table)
        return self._some(Pager(0, pages, (1, first.stop, len(texts))), title) + shown

    @staticmethod
    def _some(pager: Pager, title: str, order: str = "") -> Markup:
        links = Markup(" · ").join(
            Markup('<a href="{}">{}</a>').format(page, number) for number, page in pager.shown
        )
        _, shown, total = pager.rows
        note = Markup('<p class="note">{:,} of {:,} are shown. {} {}, all of them, page by page: {}</p>\n')
        return note.format(shown, total, order, title, links)

    def _note(self, name: str, keys: Sequence[str], parts: Sequence[range], pages: Sequence[str]) -> None:
        found = self._pages.setdefault(name, {})
        for part, page in zip(parts, pages, strict=True):
            for place in part:
                words = sorted({*keys[place].split()})
                for some in (*combinations(words, 1), *combinations(words, 2)):
                    on = found.setdefault(frozenset(some), [])
                    if page not in on[-1:]:
                        on.append(page)

    def address(self, name: str, *keys: str) -> str:
        """The address of the rows of a list with one key, or two: PAGE#KEY+KEY, and &PAGES if several have them."""
        on = self._pages.get(name, {}).get(frozenset(keys), [])
        numbers = [page.removeprefix(f"{name}-").removesuffix(".html") for page in on]
        more = f"&{','.join(numbers[:LINKED_MOST])}" if len(on) > 1 else ""
        return f"{on[0] if on else f'{name}.html'}#{'+'.join(keys)}{more}"

    def sections(
        self,
        items: Iterable[Any],
        *,
        name: str,
        title: str,
        caller: Callable[[Any], str],
        ids: Sequence[str] = (),
        loader: str = "page",
    ) -> Markup:
        """Sections of a page, those that fit; the others are on pages NAME-2.html and so on.

        name    of the page, without its ending; ids: of the sections' elements, for `page_of`
        loader  the scripts that the sections need
        """
        texts = [caller(item) for item in items]
        parts = divided(texts, SECTIONS_MOST)
        pages = [f"{name}{f'-{number}' if number > 1 else ''}.html" for number in range(1, len(parts) + 1)]
        for part, page in zip(parts, pages, strict=True):
            self._sections.update({one: page for one in ids[part.start : part.stop]})
        made = [Markup("").join(map(Markup, texts[part.start : part.stop])) for part in parts]
        for number, (part, page) in enumerate(zip(parts[1:], pages[1:], strict=True), 2):
            pager = Pager(number, pages, (part.start + 1, part.stop, len(texts)))
            self.write(
                page,
                "list.html",
                pager=pager,
                of=pages[0],
                heading=title,
                sections=made[number - 1],
                loader=loader,
            )
        if len(parts) == 1:
            return made[0]
        note = self._some(Pager(1, pages, (1, len(parts[0]), len(texts))), title)
        return note + made[0]

    def page_of(self, section: str) -> str:
        """The page that has a section, by the id of its element; empty for one that was not divided from its page."""
        return self._sections.get(section, "")


def _table(head: str, rows: Sequence[str], classes: str, name: str = "") -> Markup:
    of = Markup(' data-list="{}"').format(name) if name else Markup("")
    made = Markup(
        '<div class="scroll" tabindex="0"><table class="{}"{}>\n<thead><tr>{}</tr></thead>\n'
        "<tbody>\n{}</tbody></table></div>\n"
    )
    return made.format(" ".join(classes.split()), of, Markup(head), Markup("").join(map(Markup, rows)))
