"""Replays of Kaggle's Game Arena: one JSON document per session of OpenSpiel's repeated poker between two agents.

A state of the session is a string of JSON; within it the poker hand and the previous hand are strings of JSON again.
The first state of the next hand contains a hand's last state: `info.stateHistory` stops before the last action.
"""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from .openspiel_stakes import Action, play
from .openspiel_table import unit_for, write_hand, write_results
from .record_values import LARGEST, UNDECODED, Number, Seat, cards, moment
from .records import Record
from .table_lines import QUOTED, Lines, RecordError

NAME: Final = "kaggle-repeated-poker"

_OVER: Final = -4
"""As the player to act: the hand is over."""
_DEALS: Final = -1
"""As the player to act: cards are dealt."""
_ILLEGAL: Final = -1
_UUID_EPOCH: Final = 0x01B21DD213814000
"""The year 1970, in units of 100 ns since 1582-10-15."""
_FAILED: Final = -2
"""Submitted when no answer is requested any more, and by an agent that fails."""
_TIMEOUT: Final = "TIMEOUT"


class _Poker(msgspec.Struct):
    acpc_state: str
    betting_history: str
    blinds: list[Number]
    current_player: int
    starting_stacks: list[Number]


_NOTHING: Final = msgspec.Raw(b'""')


class _State(msgspec.Struct):
    hand_number: Number
    dealer: Seat
    returns: msgspec.Raw = msgspec.field(name="hand_returns")
    now: msgspec.Raw = msgspec.field(name="current_universal_poker_json")
    before: msgspec.Raw = msgspec.field(name="prev_universal_poker_json", default=_NOTHING)


class _Info(msgspec.Struct):
    states: list[Any] = msgspec.field(name="stateHistory")
    teams: Any = msgspec.field(name="TeamNames", default=None)
    agents: Any = msgspec.field(name="Agents", default=None)


class _Action(msgspec.Struct):
    thoughts: Any = None
    status: Any = None


class _StepInfo(msgspec.Struct):
    submitted: Any = msgspec.field(name="actionSubmitted", default=msgspec.UNSET)
    applied: Any = msgspec.field(name="actionApplied", default=None)
    seconds: Any = msgspec.field(name="timeTaken", default=None)


class _Step(msgspec.Struct):
    action: _Action | None = None
    info: _StepInfo | None = None


class Replay(msgspec.Struct):
    """The fields of a replay's document that railbird reads."""

    info: _Info
    rewards: Any = None
    statuses: Any = None
    steps: msgspec.Raw = msgspec.Raw(b"null")
    id: Any = None


RECORD: Final = Replay

_read_state: Final = msgspec.json.Decoder(_State).decode
_read_poker: Final = msgspec.json.Decoder(_Poker).decode
_read_text: Final = msgspec.json.Decoder(str).decode
_read_returns: Final = msgspec.json.Decoder(list[list[float]]).decode
_read_steps: Final = msgspec.json.Decoder(list[list[_Step]]).decode
_read_each: Final = msgspec.json.Decoder(list[list[msgspec.Raw]]).decode
_read_step: Final = msgspec.json.Decoder(_Step).decode


@dataclass(slots=True)
class _Said:
    """An agent's answer and its remarks.

    seconds    time of the answer, None if not measured
    status     the agent's own report
    submitted  the engine's number of an action, or a negative number
    applied    whether the engine took it
    """

    seat: int
    seconds: float | None
    text: str
    status: str
    submitted: int
    applied: bool


@dataclass(slots=True)
class _Hand:
    """A hand by its first and its last state.

    repeats  it was not played: the state is the end of the previous hand, under another number
    """

    number: int
    dealer: int
    poker: _Poker
    is_over: bool
    repeats: bool = False


def translate(records: Iterator[Record], out: Lines) -> Iterator[None]:
    """The sessions of documents as tables: hand k of a session is the record k, from 1."""
    for record in records:
        _write(record.value, out)
        yield


def _write(replay: Replay, out: Lines) -> None:
    states = [_state(text) for text in replay.info.states]
    returns = next((_returns(state) for state in reversed(states) if state is not None), None)
    if returns is None:
        out.unread("no state of the session can be read", 1)
        return
    players = len(returns[0]) if returns else 2
    unit = unit_for(players)
    out.match(_names(replay.info, players), NAME, unit, played_at=_began(replay.id))
    answers = _answers(replay.steps)
    applied = iter([answer for answer in answers if answer.applied])
    begins = {
        state.hand_number: text
        for text, state in zip(reversed(replay.info.states), reversed(states), strict=True)
        if state is not None
    }
    for number, hand in sorted(_hands(states).items()):
        out.at(number + 1, begins.get(number, f"hand {number}")[:QUOTED].encode())
        if hand is not None and hand.repeats:
            # A previous hand that is unreadable, or in another file, has no known end to be repeated.
            if out.lines and out.lines[-1] == "end":
                out.add(f"repeated {number}")
            continue
        with out.hand_or_nothing():
            if hand is None:
                # It is unknown which answers belong to later hands.
                applied = iter(())
                raise RecordError("the last state of the hand cannot be read")
            _write_hand(hand, returns, unit, applied, answers, replay.statuses, out)
    rewards = replay.rewards if isinstance(replay.rewards, list) else []
    if len(rewards) == players and all(
        isinstance(one, int | float) and abs(one) <= LARGEST for one in rewards
    ):
        for seat, reward in enumerate(rewards):
            out.add(f"final {seat} {round(reward * unit)}")


def _began(named: Any) -> str:
    """When the environment was created, from the name of its run: a UUID of version 1 contains the time."""
    try:
        found = uuid.UUID(named)
    except (ValueError, TypeError, AttributeError):
        return ""
    return moment((found.time - _UUID_EPOCH) / 1e7) if found.version == 1 else ""


def _state(text: Any) -> _State | None:
    try:
        return _read_state(text)
    except (*UNDECODED, TypeError):
        return None


def _returns(state: _State) -> list[list[float]] | None:
    """The result of each hand so far, by seat; None if that cannot be read."""
    try:
        return _read_returns(state.returns)
    except UNDECODED:
        return None


def _poker(text: msgspec.Raw) -> _Poker | None:
    """The hand of a string of JSON; None if it cannot be read."""
    try:
        return _read_poker(_read_text(text))
    except UNDECODED:
        return None


def _names(info: _Info, players: int) -> tuple[str, ...]:
    """The players by seat."""
    agents = info.agents if isinstance(info.agents, list) else []
    for known in (info.teams, [one.get("Name") for one in agents if isinstance(one, dict)]):
        if isinstance(known, list) and len(known) == players and all(isinstance(n, str) and n for n in known):
            return tuple(known)
    return tuple(f"player{seat}" for seat in range(players))


def _hands(states: Sequence[_State | None]) -> dict[int, _Hand | None]:
    """The hands of a session by number, None for those whose last state is lost; hands without a decision left out."""
    of_hand: dict[int, list[_State]] = {}
    for state in states:
        if state is not None:
            of_hand.setdefault(state.hand_number, []).append(state)
    # A hand without a readable state is reported missing if the next hand exists.
    numbers = {*of_hand, *(number - 1 for number in of_hand if number > min(of_hand))}
    found: dict[int, _Hand | None] = {}
    for number in numbers:
        own, after = of_hand.get(number, []), of_hand.get(number + 1)
        if not own:
            found[number] = None
            continue
        poker = _poker(after[0].before if after else own[-1].now)
        # The session's last state names itself as the previous state.
        if poker is not None and after and len(after) == 1 and not _continues(own[-1], poker):
            poker = None
        if poker is None or len(poker.blinds) != len(poker.starting_stacks):
            found[number] = None
            continue
        is_over = poker.current_player == _OVER
        # A session that ends because a player is broke repeats the end of its last hand under the next number.
        before = of_hand.get(number - 1)
        repeats = (
            is_over and not after and len(own) == 1 and before is not None and _continues(before[-1], poker)
        )
        if poker.betting_history or is_over or poker.current_player != _DEALS:
            found[number] = _Hand(number, own[0].dealer, poker, is_over, repeats)
    return found


def _continues(state: _State, later: _Poker) -> bool:
    """True if a later hand may continue a state's hand: the same cards, if dealt, and more betting."""
    poker = _poker(state.now)
    if poker is None:
        return True
    # `STATE:0:betting:cards`; the hole cards are on lines above the board.
    holes = [one.acpc_state.split("\n")[0].rpartition(":")[2].split("/")[0] for one in (poker, later)]
    same = holes[0] == holes[1] or poker.current_player == _DEALS
    return (
        same
        and poker.starting_stacks == later.starting_stacks
        and later.betting_history.startswith(poker.betting_history)
    )


def _write_hand(
    hand: _Hand,
    returns: Sequence[Sequence[float]],
    unit: int,
    applied: Iterator[_Said],
    answers: Sequence[_Said],
    statuses: Any,
    out: Lines,
) -> None:
    poker, players = hand.poker, len(hand.poker.starting_stacks)
    order = [(hand.dealer + 1 + k) % players for k in range(players)]
    order = [seat for seat in order if poker.starting_stacks[seat] > 0]
    stacks = [float(poker.starting_stacks[seat]) for seat in order]
    blinds = [float(poker.blinds[seat]) for seat in order]
    played = play(poker.betting_history, stacks, blinds, hand.is_over)
    if played is None:
        raise RecordError("the betting does not fit the stacks and blinds")
    try:
        # `STATE:0:betting:cards`, followed by the chips spent.
        hole, *streets = poker.acpc_state.split("\n")[0].split(":")[3].split("/")
        columns = hole.split("|")
        holes, board = [cards(columns[seat]) for seat in order], [cards(street) for street in streets]
    except (ValueError, IndexError) as error:
        raise RecordError("the cards cannot be read") from error
    if not hand.is_over and poker.current_player == _DEALS:
        # Cards that are not dealt yet are printed as if they were.
        board = board[: max(len(poker.betting_history.split("/")) - 2, 0)]

    def note(action: Action) -> None:
        answer = next(applied, None)
        if answer is not None and answer.seat == order[action.position]:
            out.note(answer.seat, answer.seconds, answer.status, answer.text)

    reason = "" if hand.is_over else "the session ended by a fault"
    write_hand(out, hand.number, order, stacks, blinds, holes, board, played, unit, reason, note)
    if hand.is_over:
        if hand.number >= len(returns) or len(returns[hand.number]) != players:
            raise RecordError("the hand has no returns")
        write_results(out, order, [returns[hand.number][seat] for seat in order], unit)
        return
    if answers and not answers[-1].applied:
        out.add(_fault(answers[-1], statuses))
    out.add("end")


def _fault(answer: _Said, statuses: Any) -> str:
    """The line of an answer with which a session ends."""
    if isinstance(statuses, list) and _TIMEOUT in statuses:
        return f"late {answer.seat}"
    if answer.submitted == _FAILED:
        return f"gone {answer.seat}"
    return (
        f"misformatted {answer.seat}" if answer.submitted < 0 else f"illegal {answer.seat} {answer.submitted}"
    )


def _answers(steps: msgspec.Raw) -> list[_Said]:
    """The agents' answers in order; empty if the steps were removed or cannot be read."""
    try:
        read = _read_steps(steps)
    except UNDECODED:
        try:
            read = [[_step(one) for one in step] for step in _read_each(steps)]
        except UNDECODED:
            return []
    return [
        _said(seat, one.action, one.info)
        for step in read
        for seat, one in enumerate(step)
        if one.info is not None and one.action is not None and one.info.submitted is not msgspec.UNSET
    ]


def _step(text: msgspec.Raw) -> _Step:
    """A step of an agent; an empty step if it cannot be read."""
    try:
        return _read_step(text)
    except UNDECODED:
        return _Step()


def _said(seat: int, action: _Action, info: _StepInfo) -> _Said:
    seconds, submitted = info.seconds, info.submitted
    return _Said(
        seat,
        float(seconds) if isinstance(seconds, int | float) else None,
        str(action.thoughts or ""),
        str(action.status or ""),
        submitted if isinstance(submitted, int) else _ILLEGAL,
        info.applied is not None,
    )
