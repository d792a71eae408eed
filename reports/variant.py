"""The output of `railbird variant`: a new file, and what a file does not explain of some logs."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, Final

from ..analytics.views import queries
from ..schema.words import LOWEST, RANKS, SUITS
from . import LISTED, UserError, terminal
from .pages.matches import Logs
from .terminal import Answer, counted

if TYPE_CHECKING:
    from ..analytics.store import Store
    from ..variants.properties import Variant

_BEFORE, _AFTER = 12, 3
"""Lines shown around the line of a finding."""
_NAME: Final = re.compile(r"[a-z][a-z0-9-]*")
_CARD: Final = f"[{LOWEST}{RANKS}][{SUITS}]"
_CARDS: Final = re.compile(rf"\b{_CARD}(?: {_CARD})*\b")
_NUMBER: Final = re.compile(r"(?<![\w.])[-+]?[0-9]+(?![\w])")


def write_new(name: str, folder: Path) -> Path:
    """Write a file that defines a game of a name; UserError if the name cannot be one, or is there already."""
    from ..storage.fresh import replacing
    from ..variants.registry import GAMES

    if not _NAME.fullmatch(name):
        raise UserError(f"{name!r} is no name of a game: small letters, digits and hyphens")
    if name in {game.name for game in GAMES}:
        raise UserError(f"railbird knows a game called {name!r}; give yours another name")
    path = folder / f"{name.replace('-', '_')}.py"
    template = files("railbird.variants").joinpath("new_game.template").read_text(encoding="utf-8")
    try:
        with replacing(path, is_new=True) as file:
            file.write(template.replace("{NAME}", name).replace("{FILE}", path.name).encode())
    except FileExistsError:
        raise UserError(f"{path} is there already") from None
    return path


@dataclass(frozen=True)
class _Shape:
    """Lines that differ in names, numbers and cards alone: how many, and the first."""

    count: int
    path: str
    line: int
    text: str


def print_check(path: Path, logs: Sequence[str]) -> int:
    """Read logs by a file and print what it does not explain; returns how many lines and hands that is.

    Raises UserError where nothing was read, and `variants.registry.VariantError` for a file that is no game.
    """
    from ..analytics.store import open_store
    from ..ingest import ingest
    from ..storage.locations import temporary_folder
    from ..variants.registry import add_file

    variant = add_file(path)
    assert not callable(variant.dialects)
    for dialect in (None, variant.dialects[0].name):
        with temporary_folder() as folder:
            store = folder / "store"
            summary = ingest(logs, store, variants=[path], dialect=dialect)
            if summary.nothing_read:
                continue
            with open_store(store) as opened:
                found = opened.execute(queries("variant")["hands"]).fetchall()
                if dialect is None and not _by_itself(found, variant):
                    continue
                return _print_found(opened, found, variant, dialect is not None, summary.complaints)
    raise UserError("; ".join(summary.complaints) or "nothing to read")


def _by_itself(found: Sequence[tuple[Any, ...]], variant: "Variant") -> bool:
    """True where every match was recognised as the variant's."""
    return {game for game, *_ in found} == {variant.game.name}


def _print_found(
    store: "Store",
    found: Sequence[tuple[Any, ...]],
    variant: "Variant",
    told: bool,
    complaints: Sequence[str],
) -> int:
    verdicts = {verdict: hands for _, verdict, hands in found}
    lines = store.execute(queries("variant")["lines"]).fetchall()
    shapes = list(_shapes(lines))
    wrong = sum(verdicts.get(verdict, 0) for verdict in ("violation", "damaged"))
    hands = sum(verdicts.values())
    print(_sentence(variant.game.name, hands, wrong, len(lines), verdicts.get("unverified", 0)))
    for line in complaints:
        print(terminal.printable(line))
    if told:
        print(
            f"railbird does not know these logs by themselves: it read them by --dialect "
            f"{_dialects(variant)[0]}. Give the dialect signs, or better ones."
        )
    if shapes:
        rows = [
            (shape.count, f"{PurePath(shape.path).name}:{shape.line}", shape.text)
            for shape in shapes[:LISTED]
        ]
        notes = [f"{len(shapes) - LISTED:,} more kinds of lines"] if len(shapes) > LISTED else []
        terminal.write(
            Answer(("lines", "first", "text"), rows, "Lines that no template accepts", notes=notes)
        )
    _print_first(store)
    rules = store.execute(queries("variant")["rules"]).fetchall()
    if rules:
        broken = [
            (rule, kind, verdict, count, f"{PurePath(p).name}:{line}")
            for rule, kind, verdict, count, p, line in rules
        ]
        terminal.write(Answer(("rule", "kind", "verdict", "hands", "first"), broken, "Findings by rule"))
    return int(wrong) + len(lines) + told


def _dialects(variant: "Variant") -> list[str]:
    assert not callable(variant.dialects)
    return [dialect.name for dialect in variant.dialects]


def _sentence(game: str, hands: int, wrong: int, lines: int, unverified: int) -> str:
    """The answer, before the tables."""
    if not wrong and not lines:
        aside = f"; of {counted(unverified, 'hand')} the log does not say enough" if unverified else ""
        return f"The file explains all {counted(hands, 'hand')} of {game}{aside}."
    missing = [
        *([f"{counted(lines, 'line')}"] if lines else []),
        *([f"{wrong:,} of {counted(hands, 'hand')}"] if wrong else []),
    ]
    return f"Not explained yet: {' and '.join(missing)} of {game}."


def _shapes(lines: Sequence[tuple[Any, ...]]) -> Iterator[_Shape]:
    """Unknown lines by their form, the most frequent first."""
    found: dict[str, list[tuple[Any, ...]]] = {}
    for row in lines:
        found.setdefault(_form(row[2] or row[3], row[4] or ()), []).append(row)
    for form, rows in sorted(found.items(), key=lambda item: -len(item[1])):
        path, line, *_ = rows[0]
        yield _Shape(len(rows), path, line, form)


def _form(text: str, players: Sequence[str]) -> str:
    """A line as a template would have it: names as {p}, cards as {c}, numbers as {n}."""
    for name in sorted(players, key=len, reverse=True):
        text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "{p}", text)
    return _NUMBER.sub("{n}", _CARDS.sub("{c}", text))


def _print_first(store: "Store") -> None:
    """The first hand that is not as the file says: its findings, with both values, and the lines of the log."""
    rows = store.execute(queries("variant")["first"]).fetchall()
    if not rows:
        return
    path, line, match_line, match, index, number, _ = rows[0]
    print(f"The first such hand: #{number}, {PurePath(path).name}:{line}")
    findings = store.execute(queries("variant")["hand"], match=match, hand=index).fetchall()
    for at, player, message, expected, logged in findings:
        said = message or ""
        is_said = None in (expected, logged) or (str(expected) in said and str(logged) in said)
        both = "" if is_said else f" (the log has {logged}, the file says {expected})"
        who = f"{player}: " if player and player not in said else ""
        print(terminal.printable(f"  line {at}: {who}{said}{both}"))
    log = Logs(store, [match]).lines(match)
    if log is None or not findings:
        return
    marked = {at for at, *_ in findings}
    last = max(marked)
    for at in range(max(line, last - _BEFORE), min(last + _AFTER, match_line + len(log) - 1) + 1):
        print(terminal.printable(f"  {'>' if at in marked else ' '} {at:>6}  {log[at - match_line]}"))
