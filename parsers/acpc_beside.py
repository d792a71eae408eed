"""The sidecars that belong to a log: those among the inputs, and those on disk in the log's folder."""

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Final

from .acpc import AcpcMatch
from .acpc_game import Definition, base_name, is_definition, parse_definition
from .acpc_sidecars import Beside, Complaint, read_complaints
from .chunks import Piece, again, examine, too_long
from .sidecar_names import DEFINITION, ERROR_LOGS, split, stem
from .sources import Source, SourceError, WishError, limits_among, reading, sources
from .unpacking import plain_name

_SIDECARS: Final = (DEFINITION, *ERROR_LOGS)
_LONGEST: Final = 1 << 16


def read_definition(path: str | Path) -> Definition:
    """The definition in a `.game` file; WishError if it has none, with the reason."""
    try:
        text = Path(path).read_bytes()[:_LONGEST].decode("utf-8", "replace")
    except OSError as error:
        raise WishError(f"{path}: not readable ({error.strerror})") from None
    try:
        return parse_definition(text, base_name(str(path)))
    except ValueError as error:
        raise WishError(f"{path}: {error}") from None


def _name(source: Source) -> str:
    return split(source.path)[1]


class Companions:
    """The sidecars of the logs of an ingest."""

    def __init__(
        self, given: Sequence[Source], definitions: Sequence[Definition], complain: Callable[[str], None]
    ) -> None:
        """Look through the inputs once; definitions are those that the user names."""
        self._definitions, self._complain = tuple(definitions), complain
        self._limits = limits_among(given)
        self._given: dict[str, list[Source]] = {}
        for source in given:
            if _name(source).endswith(_SIDECARS):
                self._given.setdefault(split(source.path)[0], []).append(source)
        self._in_folder = cache(self._look)
        self._games_of = cache(self._games)

    def _look(self, folder: str) -> tuple[Source, ...]:
        """The sidecars of a folder, by name: among the inputs, and on disk where it is one."""
        path = Path(folder or ".")
        found = list(self._given.get(folder, ()))
        try:
            names = [p for p in path.iterdir() if plain_name(p.name).endswith(_SIDECARS) and p.is_file()]
        # An archive, or a folder that may not be listed.
        except OSError:
            names = []
        found += sources(sorted(names), self._complain, self._limits)
        return tuple(sorted({source.path: source for source in found}.values(), key=_name))

    def _games(self, folder: str) -> tuple[Definition, ...]:
        found = []
        for source in self._in_folder(folder):
            if _name(source).endswith(DEFINITION):
                try:
                    with reading(), source.open() as stream:
                        text = stream.read(_LONGEST).decode("utf-8", "replace")
                    if is_definition(text):
                        found.append(parse_definition(text, base_name(_name(source))))
                except SourceError as error:
                    self._complain(f"{source.path}: line 1: {error}")
                except ValueError as error:
                    self._complain(f"{source.path}: line 1: no definition of a game ({error})")
        return tuple(found)

    def _complaints(self, folder: str, name: str) -> tuple[Complaint, ...]:
        # The same error log may lie there compressed, too.
        found: dict[int, list[Complaint]] = {}
        for source in self._in_folder(folder):
            if _name(source).endswith(ERROR_LOGS) and stem(_name(source)) == name:
                try:
                    with closing(examine(source)) as opened:
                        if opened.file_id not in found:
                            with reading():
                                stream = again(source, opened)
                            with stream:
                                found[opened.file_id] = list(
                                    read_complaints(stream, opened.file_id, opened.size)
                                )
                            if opened.long_lines[0]:
                                raise too_long(source, opened)
                except SourceError as error:
                    self._complain(f"{source.path}: line {error.line}: {error}")
        return tuple(complaint for told in found.values() for complaint in told)

    def beside(self, source: Source) -> Beside:
        """The sidecars of a log."""
        folder, name = split(source.path)
        definitions = (*self._definitions, *self._games_of(folder))
        return Beside(definitions, self._complaints(folder, stem(name)), self._definitions)


def with_beside(piece: Piece, beside: Beside) -> Piece:
    """A piece whose ACPC matches have their sidecars."""
    matches = tuple(replace(m, beside=beside) if isinstance(m, AcpcMatch) else m for m in piece.matches)
    return replace(piece, matches=matches)


def has_acpc(piece: Piece) -> bool:
    """True if a piece holds a match of the ACPC dealer."""
    return any(isinstance(match, AcpcMatch) for match in piece.matches)
