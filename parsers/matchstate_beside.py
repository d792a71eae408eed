"""Several logs of one match: players' own, and the dealer's beside them. One has the hands, each adds its cards.

Such logs are found by what they say, among the inputs of one ingest that lie in one folder.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cache
from itertools import zip_longest
from typing import Final

from .acpc import AcpcMatch
from .acpc_sidecars import Complaint, sidecar_kind
from .chunks import Piece, again, examine
from .dialect import MatchText
from .grammar import number_in
from .matchstate import NAME, Run, apart, cut, runs_of
from .sidecar_names import OPENS_STATE, split
from .sources import Source, SourceError, reading

WITH_THE_DEALERS: Final = "a player's own log of a match whose dealer's log lies beside it"
WITH_ANOTHERS: Final = "a player's own log of a match that another player's log beside it has"

_HEAD: Final = 1 << 16
_LARGEST: Final = 1 << 30
_OF_THE_DEALER: Final = re.compile(rb"^STATE:(\d+):([^:\n]*):([\w|/]*):", re.MULTILINE)
_TELLING: Final = 3
"""Cards that two logs of one match both show: as many are dealt alike in 20,000 deals once."""


@dataclass(frozen=True)
class _Hand:
    """What a log says of a hand: its betting and cards."""

    betting: bytes
    cards: bytes

    def sections(self) -> tuple[list[bytes], bytes]:
        """The hole cards by position, and the board."""
        holes, _, board = self.cards.partition(b"/")
        return holes.split(b"|"), board

    def shared(self, other: "_Hand") -> int:
        """How many cards both show; below 0 where they cannot be of one hand."""
        first, second = sorted((self.betting, other.betting), key=len)
        (holes, board), (others, other_board) = self.sections(), other.sections()
        shorter, longer = sorted((board, other_board), key=len)
        if not (second.startswith(first) and longer.startswith(shorter) and len(holes) == len(others)):
            return -1
        both = [(one, two) for one, two in zip(holes, others, strict=True) if one and two]
        if any(one != two for one, two in both):
            return -1
        return sum(len(one) for one, _ in both) // 2 + len(shorter.replace(b"/", b"")) // 2

    def joined(self, other: "_Hand") -> "_Hand":
        """All that both say; the one that goes on further has the betting and the board."""
        longer = max(self, other, key=lambda hand: (len(hand.betting), len(hand.cards)))
        holes = (
            one or two for one, two in zip_longest(self.sections()[0], other.sections()[0], fillvalue=b"")
        )
        _, slash, board = longer.cards.partition(b"/")
        return _Hand(longer.betting, b"|".join(holes) + slash + board)


_Hands = dict[int, _Hand]


def _is_one(hands: _Hands, others: _Hands) -> bool:
    """True for two records of one match: no hand contradicts the other, and enough cards are in both."""
    total = 0
    for number, hand in hands.items():
        if number in others:
            shared = hand.shared(others[number])
            if shared < 0:
                return False
            total += shared
    return total >= _TELLING


@dataclass(frozen=True)
class _Log:
    """A log of a folder: the hands of each match; runs: of a player's own."""

    source: Source
    file_id: int
    matches: tuple[_Hands, ...]
    runs: tuple[tuple[Run, tuple[Complaint, ...]], ...] = ()


class OwnLogs:
    """The players' own logs among the inputs of an ingest."""

    def __init__(self, given: Sequence[Source], complain: Callable[[str], None]) -> None:
        """Nothing is read before a player's own log is."""
        self._given, self._complain = given, complain
        self._in_folder = cache(self._look)

    def _look(self, folder: str) -> tuple[_Log, ...]:
        """The logs of a folder that may be of one match with a player's own, in the order of the inputs."""
        found: list[_Log] = []
        for source in self._given:
            if split(source.path)[0] == folder:
                try:
                    found += self._read(source)
                except SourceError as error:
                    self._complain(f"{source.path}: line 1: {error}")
        return tuple(found)

    def _read(self, source: Source) -> Iterator[_Log]:
        with closing(examine(source)) as opened:
            head = opened.head[:_HEAD]
            if b"STATE:" not in head or sidecar_kind(head) or opened.size > _LARGEST:
                return
            with reading(), again(source, opened) as stream:
                text = stream.read(opened.size)
        if OPENS_STATE not in head:
            yield _Log(source, opened.file_id, tuple(_of_the_dealer(text)))
            return
        bare = (apart(text) or (text, None))[0]
        runs = []
        for run, match in zip(runs_of(bare), cut(bare), strict=True):
            assert isinstance(match, AcpcMatch)
            above = bare.count(b"\n", 0, match.body)
            complaints = (replace(c, file_id=opened.file_id, line=c.line + above) for c in match.complaints)
            runs.append((run, tuple(complaints)))
        yield _Log(source, opened.file_id, tuple(_hands(run) for run, _ in runs), tuple(runs))

    def joined(self, source: Source, head: bytes) -> str | None:
        """Why a player's own log has no hands of its own; None for one that has, and for any other file."""
        if head.find(OPENS_STATE, 0, _HEAD) < 0:
            return None
        logs = self._in_folder(split(source.path)[0])
        own = next((log for log in logs if log.source.path == source.path and log.runs), None)
        if own is None:
            return None
        dealers = [match for log in logs if not log.runs for match in log.matches]
        if all(any(_is_one(match, other) for other in dealers) for match in own.matches):
            return WITH_THE_DEALERS
        before = [match for log in logs[: logs.index(own)] if log.runs for match in log.matches]
        if all(any(_is_one(match, other) for other in before) for match in own.matches):
            return WITH_ANOTHERS
        return None

    def inform(self, piece: Piece, source: Source) -> Piece:
        """A piece of a player's own log with what other players' logs add to its matches."""
        if not any(isinstance(match, AcpcMatch) and match.owners for match in piece.matches):
            return piece
        others = [
            run
            for log in self._in_folder(split(source.path)[0])
            if log.source.path != source.path
            for run in zip(log.runs, log.matches, strict=False)
        ]
        if not others:
            return piece
        parts: list[bytes] = []
        known, at = [], 0
        for run in runs_of(piece.text):
            hands = _hands(run)
            same = [(other, theirs) for other, theirs in others if _is_one(hands, theirs)]
            known.append([other for other, _ in same])
            for _, theirs in same:
                hands = {n: hand.joined(theirs[n]) if n in theirs else hand for n, hand in hands.items()}
            for number, state in run.hands.items():
                parts += piece.text[at : state.begin], b"%b:%b" % (hands[number].betting, hands[number].cards)
                at = state.end
        text = b"".join((*parts, piece.text[at:]))
        matches = tuple(_informed(m, one) for m, one in zip(cut(text), known, strict=True))
        return replace(piece, text=text, matches=matches)


def _of_the_dealer(text: bytes) -> Iterator[_Hands]:
    """The hands of a dealer's log, match by match."""
    hands: _Hands = {}
    for said in _OF_THE_DEALER.finditer(text):
        number = number_in(said[1])
        if number in hands:
            yield hands
            hands = {}
        hands[number] = _Hand(said[2], said[3])
    if hands:
        yield hands


def _hands(run: Run) -> _Hands:
    return {number: _Hand(state.betting, state.cards) for number, state in run.hands.items()}


def _informed(match: MatchText, others: Sequence[tuple[Run, tuple[Complaint, ...]]]) -> MatchText:
    """A match whose owners are those of other logs of it, too; their faults as well."""
    assert isinstance(match, AcpcMatch) and match.engine == NAME
    owners = {*match.owners, *(run.owner()[0] for run, _ in others)}
    complaints = (complaint for _, some in others for complaint in some)
    return replace(match, owners=tuple(sorted(owners)), complaints=(*match.complaints, *complaints))
