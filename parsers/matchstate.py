"""A player's own log of the ACPC's protocol: the states that the dealer sent it, and its answers.

Each state contains the whole hand so far, so the last state of a hand is the hand. The log has no results, and no cards
that the player was not shown.

Several logs of one match, players' own and the dealer's, are matched by content, among the inputs of one ingest in one
folder. One log provides the hands, each adds its cards.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import pairwise, zip_longest
from typing import Final

import numpy as np

from . import events as ev
from .acpc import AcpcMatch, match_at, sooner
from .acpc_lines import Changed
from .acpc_sidecars import Complaint, sidecar_kind
from .chunks import Piece, again, examine
from .dialect import MatchText, Sorted, Text
from .grammar import Grammar, number_in
from .marks import first_of
from .reading import Scanned
from .sidecar_names import OPENS_STATE, split
from .sources import Source, SourceError, reading

NAME: Final = "matchstate"
IN_A_HAND: Final = b":"
"""Every state contains it."""

_STATE: Final = re.compile(
    rb"MATCHSTATE:(\d{1,18}):(\d{1,18}):([FCRKBfcrkb\d/]*):([\w|/]*)(?::([^\r\n]*?))?[ \t]*\r?$", re.MULTILINE
)
_BEHIND: Final = re.compile(rb"(?:\\r|\\n|[\"'\],])+\s*$")
"""The remains of a quoted line's end."""
_ACTION: Final = re.compile(rb"[fcr]\d*")
_ANSWER: Final = re.compile(rb"[fck]|[rb]\d*")
_AS_THE_DEALER: Final = bytes.maketrans(b"FCRKBkb", b"fcrcbcr")


@dataclass(frozen=True)
class State:
    """A line: the owner's position, the hand's number, betting, cards, and the answer behind it, None for a state.

    at: its offset; begin, end: of betting and cards
    """

    at: int
    begin: int
    end: int
    position: int
    number: int
    betting: bytes
    cards: bytes
    answer: bytes | None

    @property
    def players(self) -> int:
        """The number of players."""
        return self.cards.split(b"/", 1)[0].count(b"|") + 1


@dataclass
class Run:
    """The states of a match."""

    states: list[State] = field(default_factory=list)

    @cached_property
    def hands(self) -> dict[int, State]:
        """The last state of each hand, by number."""
        return {state.number: state for state in self.states}

    def goes_on(self, state: State) -> bool:
        """True if a state may come next: of a later hand, or of this one with at least as much betting."""
        if not self.states:
            return True
        last = self.states[-1]
        if state.players != last.players or state.number < last.number:
            return False
        return state.number > last.number or state.betting.startswith(last.betting)

    def owner(self) -> tuple[int, bool]:
        """The owner's seat, and whether seats are fixed: it then has one position in every hand."""
        players = self.states[0].players
        hands: dict[int, int] = {}
        for state in self.states:
            hands.setdefault(state.number, state.position)
        best: tuple[list[int], int, bool] = ([], 0, False)
        for fixed in (False, True):
            for seat in range(players):
                fits = [
                    at
                    for at, (number, position) in enumerate(hands.items())
                    if (position + number * (not fixed)) % players == seat
                ]
                if sooner(fits, best[0]):
                    best = fits, seat, fixed
        return best[1:]

    @property
    def is_full(self) -> bool:
        """True if states include others' turns; else hands in which the owner had no turn are missing."""
        asked = {(state.number, state.betting) for state in self.states if state.answer is not None}
        return any(
            state.answer is None and (state.number, state.betting) not in asked for state in self.states
        )

    def complaints(self, text: Text, body: int, seat: int) -> Iterator[Complaint]:
        """The answers that the dealer changed: the next state of the hand has another action."""
        line, counted = 1, body
        for state, following in pairwise(self.states):
            if state.answer is None or following.number != state.number:
                continue
            action = _ACTION.match(following.betting.translate(_AS_THE_DEALER), len(state.betting))
            if action is None:
                continue
            answer = state.answer.translate(_AS_THE_DEALER)
            is_sized = len(action[0]) > 1
            if action[0] == (answer if is_sized or answer[:1] != b"r" else b"r"):
                continue
            line, counted = line + text.count(b"\n", counted, state.at), state.at
            yield Complaint(
                file_id=0,
                line=line,
                header=b"",
                hand_no=state.number,
                betting=state.betting,
                seat=seat,
                kind="illegal" if _ANSWER.fullmatch(answer) else "misformatted",
                text=state.answer,
                replaced=action[0] == b"c",
            )


def _read(said: re.Match[bytes]) -> State:
    position, number, betting, cards, answer = said.groups()
    return State(
        said.start(),
        said.start(3),
        said.end(4),
        number_in(position),
        number_in(number),
        betting,
        cards,
        answer,
    )


def _write(changed: Changed, event: int, last: State) -> None:
    """Turn an event into the hand of its last state."""
    changed.hand(event, last.number, b"%b:%b::" % (last.betting, last.cards))


def _translate(scanned: Scanned) -> Scanned:
    """Turn the last state of each hand into the hand; a line that is not a state is unknown."""
    found = scanned.events
    text, changed = found.text.tobytes(), Changed(scanned)
    for first, last in pairwise(scanned.first_event.tolist()):
        held: tuple[int, State] | None = None
        for k in (np.flatnonzero(found.codes[first:last] == ev.STATE) + first).tolist():
            begin, size = found.values[found.args[k] + 2 :][:2].tolist()
            said = _STATE.match(text[int(found.starts[k]) : begin + size])
            if said is None:
                changed.drop(k, ev.UNKNOWN)
                continue
            state = _read(said)
            if held is not None and held[1].number == state.number:
                changed.drop(held[0], ev.HEADING)
            elif held is not None:
                _write(changed, *held)
            held = k, state
        if held is not None:
            _write(changed, *held)
    return changed.done()


GRAMMAR: Final = Grammar(
    """
    header  # MATCHSTATE{*}
    state   MATCHSTATE:{n}:{n}:{*}
    """,
    translate=_translate,
)


def runs_of(text: Text) -> list[Run]:
    """The matches of a text, in order: runs of states that continue each other."""
    if first_of(text, OPENS_STATE, 0, len(text)) < 0:
        return []
    runs = [Run()]
    for said in _STATE.finditer(text):
        if said.start() and text[said.start() - 1] != ord("\n"):
            continue
        state = _read(said)
        if not runs[-1].goes_on(state):
            runs.append(Run())
        runs[-1].states.append(state)
    return runs if runs[0].states else []


def cut(text: Text) -> list[MatchText]:
    """The matches of a text, in order; text before the first belongs to it."""
    runs = runs_of(text)
    found: list[MatchText] = []
    begins = [run.states[0].at for run in runs]
    for run, (begin, end) in zip(runs, pairwise([*begins, len(text)]), strict=True):
        owner, fixed = run.owner()
        found.append(
            match_at(
                text,
                len(found),
                begin,
                end,
                engine=NAME,
                names=tuple(b"seat%d" % (seat + 1) for seat in range(run.states[0].players)),
                fixed=fixed,
                restated=True,
                gaps=not run.is_full,
                owners=(owner,),
                complaints=tuple(run.complaints(text, begin, owner)),
            )
        )
    return found


def apart(text: Text) -> Sorted | None:
    """A log without the text around the states of each line; None if there is none."""
    if first_of(text, OPENS_STATE, 0, len(text)) < 0:
        return None
    lines = bytes(text).split(b"\n")
    bare = [_bare(line) for line in lines]
    if bare == lines:
        return None
    return b"\n".join(bare), np.arange(1, len(lines) + 1)


def _bare(line: bytes) -> bytes:
    at = line.find(OPENS_STATE)
    return (
        line if at < 0 else line[at:] if at == 0 and line[-1:] not in b"\"]'" else _BEHIND.sub(b"", line[at:])
    )


WITH_THE_DEALERS: Final = "a player's own log of a match whose dealer's log lies beside it"
WITH_ANOTHERS: Final = "a player's own log of a match that another player's log beside it has"

_HEAD: Final = 1 << 16
_LARGEST: Final = 1 << 30
_OF_THE_DEALER: Final = re.compile(rb"^STATE:(\d+):([^:\n]*):([\w|/]*):", re.MULTILINE)
_TELLING: Final = 3
"""Cards that two logs of one match must share: so many are equal by chance once in 20,000 deals."""


@dataclass(frozen=True)
class _Hand:
    """A hand in a log: its betting and cards."""

    betting: bytes
    cards: bytes

    def sections(self) -> tuple[list[bytes], bytes]:
        """The hole cards by position, and the board."""
        holes, _, board = self.cards.partition(b"/")
        return holes.split(b"|"), board

    def shared(self, other: "_Hand") -> int:
        """The number of cards that both show; negative if they cannot be one hand."""
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
        """Both combined; the longer one provides the betting and the board."""
        longer = max(self, other, key=lambda hand: (len(hand.betting), len(hand.cards)))
        holes = (
            one or two for one, two in zip_longest(self.sections()[0], other.sections()[0], fillvalue=b"")
        )
        _, slash, board = longer.cards.partition(b"/")
        return _Hand(longer.betting, b"|".join(holes) + slash + board)


_Hands = dict[int, _Hand]


def _is_one(hands: _Hands, others: _Hands) -> bool:
    """True for two records of one match: no hands contradict each other, and enough cards are in both."""
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
    """A log of a folder: the hands of each match; runs: for a player's own log."""

    source: Source
    file_id: int
    matches: tuple[_Hands, ...]
    runs: tuple[tuple[Run, tuple[Complaint, ...]], ...] = ()


class OwnLogs:
    """The players' own logs among the inputs of an ingest."""

    def __init__(self, given: Sequence[Source], complain: Callable[[str], None]) -> None:
        """Other logs are read only when a player's own log is."""
        self._given, self._complain = given, complain
        self._in_folder = cache(self._look)

    def _look(self, folder: str) -> tuple[_Log, ...]:
        """The logs of a folder that may share a match with a player's own log, in the order of the inputs."""
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
        """Why a player's own log provides no hands; None if it does, and for any other file."""
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
        """A piece of a player's own log, with other players' logs added to its matches."""
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
    """A match with the owners and faults of its other logs added."""
    assert isinstance(match, AcpcMatch) and match.engine == NAME
    owners = {*match.owners, *(run.owner()[0] for run, _ in others)}
    complaints = (complaint for _, some in others for complaint in some)
    return replace(match, owners=tuple(sorted(owners)), complaints=(*match.complaints, *complaints))
