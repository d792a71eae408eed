"""Files that lie beside a log and inform its matches: which they are, and what they add. They never add hands."""

from collections.abc import Callable, Sequence
from functools import lru_cache

from .acpc_beside import Companions, has_acpc, with_beside
from .acpc_game import Definition
from .acpc_sidecars import sidecar_kind
from .chunks import Piece
from .koper import KoperMatch
from .koper_console import KIND, Consoles, is_console, with_results
from .sources import Source


def kind_of(head: bytes) -> str | None:
    """What a sidecar is by the first bytes of its text; None where it is none."""
    if kind := sidecar_kind(head):
        return f"{kind} of the ACPC dealer"
    return KIND if is_console(head) else None


class Sidecars:
    """The sidecars of an ingest: among its inputs, or on disk in a log's folder."""

    def __init__(
        self, given: Sequence[Source], definitions: Sequence[Definition], complain: Callable[[str], None]
    ) -> None:
        """Look through the inputs once; definitions are those that the user names."""
        self._companions = lru_cache(4)(Companions(given, definitions, complain).beside)
        self._consoles = lru_cache(4)(Consoles(list(given), complain).beside)

    def inform(self, piece: Piece, source: Source) -> Piece:
        """A piece of a log whose matches know what lies beside it."""
        if has_acpc(piece):
            return with_beside(piece, self._companions(source))
        if any(isinstance(match, KoperMatch) for match in piece.matches):
            return with_results(piece, self._consoles(source))
        return piece
