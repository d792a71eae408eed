"""A player's own log of the ACPC's protocol: the states that the dealer sent it, and its answers.

States grow: every one holds all of the hand so far, so the last state of a hand is the hand. No result is written, and
no card that the player was not shown.
"""

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Final

import numpy as np

from . import events as ev
from .acpc import match_at
from .acpc_lines import Changed
from .acpc_sidecars import Complaint
from .dialect import MatchText, Sorted, Text
from .grammar import Grammar, number_in
from .marks import first_of
from .reading import Scanned
from .sidecar_names import OPENS_STATE as STATE

NAME: Final = "matchstate"
IN_A_HAND: Final = b":"
"""In every state."""

_STATE: Final = re.compile(
    rb"MATCHSTATE:(\d+):(\d+):([FCRKBfcrkb\d/]*):([\w|/]*)(?::([^\r\n]*?))?[ \t]*\r?$", re.MULTILINE
)
_BEHIND: Final = re.compile(rb"(?:\\r|\\n|[\"'\],])+\s*$")
"""What an end of a line in quotes leaves."""
_ACTION: Final = re.compile(rb"[fcr]\d*")
_ANSWER: Final = re.compile(rb"[fck]|[rb]\d*")
_AS_THE_DEALER: Final = bytes.maketrans(b"FCRKBkb", b"fcrcbcr")


@dataclass(frozen=True)
class State:
    """A line: the owner's position, the hand's number, betting, cards, and the answer behind it, None for a state.

    at: where it begins; begin, end: of betting and cards
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
        """How many play."""
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
        """True where a state may follow: of a later hand, or of this one with as much betting or more."""
        if not self.states:
            return True
        last = self.states[-1]
        if state.players != last.players or state.number < last.number:
            return False
        return state.number > last.number or state.betting.startswith(last.betting)

    def owner(self) -> tuple[int, bool]:
        """The owner's seat, and whether seats are fixed: it then has one position in every hand."""
        players = self.states[0].players
        positions = {state.position for state in self.states}
        seats = Counter((state.position + state.number) % players for state in self.states)
        if len(seats) > 1 and len(positions) == 1:
            return positions.pop(), True
        return seats.most_common(1)[0][0], False

    @property
    def is_full(self) -> bool:
        """True where states show others' turns; else hands in which the owner had no turn are missing."""
        asked = {(state.number, state.betting) for state in self.states if state.answer is not None}
        return any(
            state.answer is None and (state.number, state.betting) not in asked for state in self.states
        )

    def complaints(self, text: Text, body: int, seat: int) -> Iterator[Complaint]:
        """The answers that the dealer changed: what follows in the next state of the hand is another action."""
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
    """Make an event the hand that a state is the last of."""
    changed.hand(event, last.number, b"%b:%b::" % (last.betting, last.cards))


def _translate(scanned: Scanned) -> Scanned:
    """Make the last state of each hand the hand; a line that is no state is unknown."""
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
    """The matches of a text, in order: runs of states that go on."""
    if first_of(text, STATE, 0, len(text)) < 0:
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
    """A log without what stands around the states of each line; None where nothing does."""
    if first_of(text, STATE, 0, len(text)) < 0:
        return None
    lines = bytes(text).split(b"\n")
    bare = [_bare(line) for line in lines]
    if bare == lines:
        return None
    return b"\n".join(bare), np.arange(1, len(lines) + 1)


def _bare(line: bytes) -> bytes:
    at = line.find(STATE)
    return (
        line if at < 0 else line[at:] if at == 0 and line[-1:] not in b"\"]'" else _BEHIND.sub(b"", line[at:])
    )
