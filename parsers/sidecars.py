"""Sidecars: files next to a log that add facts to its matches, but never hands."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, suppress
from functools import cached_property, lru_cache
from os.path import join, split
from typing import TYPE_CHECKING

from .chunks import Piece, examine
from .dialect import MatchText, RecordMatch, TableMatch
from .dialects import is_mit, sidecar_kind, why_alone
from .sidecar_names import (
    IRC_PART,
    OPENS_LOG,
    OPENS_STATE,
    Key,
    informed_by,
    informs,
    month_of,
    replay_beside,
)
from .sources import Source, SourceError

if TYPE_CHECKING:
    from .acpc_game import Definition
    from .acpc_sidecars import Beside
    from .huawei import ServerLogs
    from .irc import Month, Months
    from .koper import Results
    from .matchstate import OwnLogs

# The modules for an engine's sidecars are imported when its log, or an unknown file, is read.
_HEAD: int = 1 << 16
_UNINFORMED = (MatchText, RecordMatch)
"""Matches without sidecars, or whose sidecars are already used when they are cut."""


def kind_of(head: bytes) -> str | None:
    """The kind of a sidecar, from the first bytes of its text; None if it is not one."""
    if is_mit(head, 0, min(len(head), _HEAD)):
        return None
    from .acpc_sidecars import sidecar_kind as acpc_kind
    from .koper import KIND, is_console

    if kind := acpc_kind(head):
        return f"{kind} of the ACPC dealer"
    return KIND if is_console(head) else sidecar_kind(head)


def late(given: Iterable[Source], is_known: Callable[[int], bool]) -> set[Key]:
    """The sidecars, by file name, among an ingest's inputs whose file_id is not in the store.

    A server's log counts only if its replay is also among the inputs.
    """
    found = set()
    given = list(given)
    paths = {source.path for source in given}
    for source in given:
        if key := informs(source.path):
            with suppress(SourceError), closing(examine(source)) as opened:
                if kind_of(opened.head) and not is_known(opened.file_id):
                    found.add(key)
        elif (replay := replay_beside(source.path)) in paths:
            with suppress(SourceError), closing(examine(source)) as opened:
                if OPENS_LOG in opened.head[:_HEAD] and not is_known(opened.file_id):
                    found.add(("answers", replay))
    return found


def tell_anew(keys: set[Key], source: Source, head: bytes) -> bool:
    """True if one of some sidecars may belong to a log, from the log's name and the first bytes of its text."""
    # Mostly there are none.
    return bool(keys) and not (
        keys.isdisjoint(informed_by(source.path)) or is_mit(head, 0, min(len(head), _HEAD))
    )


def _name_of(source: Source) -> str:
    """A file's path without the extensions of its name."""
    folder, name = split(source.path)
    return join(folder, name.partition(".")[0])


class Sidecars:
    """The sidecars of an ingest: among its inputs, or on disk in a log's folder."""

    def __init__(
        self, given: Sequence[Source], definitions: Sequence["Definition"], complain: Callable[[str], None]
    ) -> None:
        """Definitions are those that the user names."""
        self._given, self._definitions, self._complain = given, definitions, complain

    @cached_property
    def _companions(self) -> "Callable[[Source], Beside]":
        from .acpc_beside import Companions

        return lru_cache(4)(Companions(self._given, self._definitions, self._complain).beside)

    @cached_property
    def _own_logs(self) -> "OwnLogs":
        from .matchstate import OwnLogs

        return OwnLogs(self._given, self._complain)

    @cached_property
    def _consoles(self) -> "Callable[[Source], Results]":
        from .koper import Consoles

        return lru_cache(4)(Consoles(list(self._given), self._complain).beside)

    @cached_property
    def _server_logs(self) -> "ServerLogs":
        from .huawei import ServerLogs

        return ServerLogs(self._given, self._complain)

    @cached_property
    def months(self) -> "Months":
        """The months of the IRC poker database."""
        from .irc import Months

        return Months(self._given, self._complain)

    def beside(self, path: str) -> "Month":
        """The files next to a list of hands of the IRC poker database."""
        return self.months.of(path)

    def kind_beside(self, source: Source, head: bytes) -> str | None:
        """The kind of sidecar that a file is because of other inputs; None if it is a log of its own."""
        # Most ingests have no player's own log.
        if head.find(OPENS_STATE, 0, _HEAD) >= 0:
            return self._own_logs.joined(source, head)
        if month_of(source.path) is not None and self.months.is_part(source):
            return IRC_PART
        if OPENS_LOG not in head[:_HEAD] or not replay_beside(source.path):
            return None
        from .huawei import KIND

        return KIND if self._server_logs.is_sidecar(source, head) else None

    @cached_property
    def _named(self) -> Counter[str]:
        return Counter(_name_of(source) for source in self._given)

    def why_alone(self, source: Source, head: bytes) -> str:
        """Why a sidecar without its log is refused; "" if its log is among the inputs, or not needed."""
        return "" if self._named[_name_of(source)] > 1 else why_alone(head)

    def inform(self, piece: Piece, source: Source) -> Piece:
        """A piece of a log, with the facts of its sidecars added to its matches."""
        if all(type(match) in _UNINFORMED for match in piece.matches):
            return piece
        from .acpc_beside import has_acpc, with_beside
        from .koper import with_results

        if has_acpc(piece):
            if piece.text.find(OPENS_STATE, 0, _HEAD) >= 0:
                piece = self._own_logs.inform(piece, source)
            piece = with_beside(piece, self._companions(source))
        piece = with_results(piece, self._consoles(source))
        has_answers = any(isinstance(match, TableMatch) for match in piece.matches)
        return self._server_logs.inform(piece, source) if has_answers else piece
