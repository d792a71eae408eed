"""The lines of Huawei's contest of 2015, and their cut into games. A game has a replay and a server's log.

Seats, cards and bets take several lines each: `joined` makes one event of them. Players are known by their numbers,
because names repeat. The server's log prints each answer of a player; the server's next list of actions shows what it
made of the answer.

Beside its replay a server's log adds the players' answers, and no hands. Both are of one game if their first hands have
the same cards. Without its replay among the inputs a log is read as a match of its own.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import replace
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import kernel, part
from . import events as ev
from .chunks import Piece, examine
from .dialect import ANSWER_SIZE, Answers, MatchText, TableMatch, Text, line_at, line_start
from .grammar import Grammar, number_in
from .marks import lines_with
from .reading import Events, Pool, Scanned, read_events
from .sidecar_names import OPENS_LOG, log_beside, replay_beside
from .sources import Source, SourceError, limits_among, sources

NAME: Final = "huawei-replay"
NAME_OF_LOG: Final = "huawei-log"
HAND_LINE: Final = b"game(id=replay) new hand "
HAND_LINE_OF_LOG: Final = b"-----"
CLOSES: Final = b":hold/"
_OPENS: Final = b"game start(id="

_MOST_CARDS: Final = 5
"""On the board."""
_MOST_VALUES: Final = 8
"""The most values of a line; an event has as many for each of its lines."""
_KINDS: Final = {
    "show_high_card": "HIGH_CARD",
    "show_pair": "ONE_PAIR",
    "show_two_pair": "TWO_PAIR",
    "show_trips": "THREE_OF_A_KIND",
    "show_straight": "STRAIGHT",
    "show_flush": "FLUSH",
    "show_full_house": "FULL_HOUSE",
    "show_quads": "FOUR_OF_A_KIND",
    "show_straight_flush": "STRAIGHT_FLUSH",
}
"""The server's names of hands, by event."""


def joined(scanned: Scanned) -> Scanned:
    """A replay's events with one each for a hand's seats, a player's cards, a street, and a bet with its chips."""
    return _joined(scanned, 0)


def joined_of_log(scanned: Scanned) -> Scanned:
    """The same for a server's log, where the line of a shown hand begins with its rank among the hands."""
    return _joined(scanned, 1)


def _joined(scanned: Scanned, before_shown: int) -> Scanned:
    raw, last, pool = scanned.events, int(scanned.first_event[-1]), scanned.pool
    out = Events(
        raw.text,
        pool.take("joined codes", 2 * last, np.uint8),
        pool.take("joined starts", 2 * last, np.int32),
        pool.take("joined lines", 2 * last, np.int32),
        pool.take("joined args", 2 * last, np.int32),
        pool.take("joined values", _MOST_VALUES * (last + 8), np.int64),
    )
    edges = np.zeros_like(scanned.first_event)
    join(raw, scanned.first_event, before_shown, out, edges, np.zeros(_MOST_CARDS, np.int64))
    tally = np.bincount(out.codes[: edges[-1]], minlength=len(scanned.tally))
    return Scanned(out, edges, scanned.line_count, tally, pool)


_SHARED: Final = Grammar(
    """
    note       seat/
    seated     button: {p} {n} {n}
    seated     small blind: {p} {n} {n}
    seated     big blind: {p} {n} {n}
    seated     {p} {n} {n}
    note       /seat
    dealt      player {p}:hold/
    card       {w}
    note       /hold
    flop       flop/
    turn       turn/
    river      river/
    note       /flop
    note       /turn
    note       /river
    marker     <<<<<<<{*}
    marker     |||||||{*}
    marker     =======
    marker     >>>>>>>{*}
    """
)

REPLAY: Final = Grammar(
    """
    header     game start(id={*}
    note       game start(id={*}
    note       -{n}>
    note       reg: player id={p} name={*}
    round      game(id=replay) new hand {n} start...
    score      score of {p}: {n} {n} {n} {n}
    blind      player {p} action blind
    fold       player {p} action fold
    call       player {p} action call
    check      player {p} action check
    raise      player {p} action raise
    all_in     player {p} action all_in
    chips      player {p} bet {n} rest {n}
    pot_sum    pot num {n} current bet {n} least raise {n}
    late       player {p} time out
    gone       player {p} off line
    award      player {p} win pot: {n}
    match_over game over
    """
    + "\n".join(f"{event} player {{p}} show down: {name} [{{w}}] [{{w}}]" for event, name in _KINDS.items()),
    base=_SHARED,
    translate=joined,
)

LOG: Final = Grammar(
    """
    header     ===VERSION {*}
    note       ===VERSION {*}
    note       ---GAME START @ {*}
    note       wait registration for {n} seconds
    note       reg: {p} {*}
    note       close registration
    round      -----{n} Hand-----
    note       ----- clean player data in socket -----
    blinds     blind/
    note       /blind
    paid_to    {p}: {n}
    note       ---pre flop round bet---
    note       ---flop round bet---
    note       ---turn round bet---
    note       ---river round bet---
    note       ---show down---
    note       ---Allocate pot---
    note       valid player: {n}, all in player: {n}, fold player: {n}
    asked      send inquire msg to player {p}(seat:{n})
    asked      send inquire msg to player {p}
    note       inquire/
    note       notify/
    note       /notify
    list_end   /inquire
    note       total pot: {n}
    said_fold  recv from player {p}: fold
    said_call  recv from player {p}: call
    said_check recv from player {p}: check
    said_raise recv from player {p}: raise {n}
    said_all_in recv from player {p}: all_in
    said_other recv from player {p}: {*}
    note       find residue data from player {p}{*}
    note       ----- send notify msg from {n} to {n}(exclude) -----
    note       ----- notify msg last round -----
    note       send notify msg to player {p}{*}
    note       player {p}(seat:{n}) doesn't need notify-msg
    note       showdown/
    note       /showdown
    common     common/
    note       /common
    note       Only player at seat {n} not fold, win all the pot {n}
    note       --- {n} players not fold, don't need show down---
    pays       pot-win/
    note       /pot-win
    hand_over  it is player {p}'s turn to be button
    match_over game-over
    """
    + "\n".join(
        f"listed_{word} {{p}} {{n}} {{n}} {{n}} {word}"
        for word in ("fold", "call", "check", "raise", "all_in", "blind")
    )
    + "\n"
    + "\n".join(f"{event} {{n}}: {{p}} {{w}} {{w}} {name}" for event, name in _KINDS.items()),
    base=_SHARED,
    translate=joined_of_log,
)


@part
def _size(code: int) -> int:
    """The number of values to copy of an unchanged event."""
    if code == ev.SCORE:
        return 5
    if code == ev.CHIPS or code == ev.POT_SUM:
        return 3
    if code == ev.AWARD or code == ev.BLIND or code == ev.UNKNOWN or code == ev.MARKER:
        return 2
    return 0 if code == ev.MATCH_OVER else 1


@part
def _is_decision(code: int) -> bool:
    return ev.FOLD <= code <= ev.RAISE or code == ev.ALL_IN


@part
def _decision(code: int, first: int) -> int:
    """The decision in a line; UNKNOWN for a blind or an unreadable answer.

    first: the event of a fold among those of such lines (SAID_FOLD, LISTED_FOLD); the order is that of SAID_FOLD to
    SAID_ALL_IN
    """
    place = code - first
    if place == 0:
        return ev.FOLD
    if place == 1:
        return ev.CALL
    if place == 2:
        return ev.CHECK
    if place == 3:
        return ev.RAISE
    return ev.ALL_IN if place == 4 else ev.UNKNOWN


@part
def _write(out: Events, event: int, code: int, raw: Events, k: int, at: int) -> None:
    """Write an event at the line of raw event k; its values begin at `at`."""
    out.codes[event], out.starts[event], out.lines[event] = code, raw.starts[k], raw.lines[k]
    out.args[event] = at


@kernel
def join(
    raw: Events,
    first_event: NDArray[np.int64],
    before_shown: int,
    out: Events,
    edges: NDArray[np.int64],
    board: NDArray[np.int64],
) -> None:
    """Write the events of matches in the form that `replay.pots` reads.

    raw, first_event  the scanner's events, and where those of each match begin
    before_shown      numbers before the player in the line of a shown hand
    out, edges        the new events, in the form of raw and first_event. A hand's event has its number, the number of
                      seats, and of each seat the player, its chips at the table and in reserve. A street's event has
                      the cards of the whole board. Blinds and raises have the player's chips in the hand. A fault
                      comes before the action that replaces the answer, and an answer (decision -1 if none came) before
                      the action that was taken
    board             (_MOST_CARDS,) scratch
    """
    values, made, used, event = raw.values, out.values, 0, 0
    for match in range(len(first_event) - 1):
        edges[match] = event
        # The event that the next lines may extend, the index of its count, and the size of the board.
        opened, count_at, size = ev.NOTE, 0, 0
        # In a log: the player asked, the event of the last answer, and the player whose action is still unknown.
        asked = waiting = -1
        answer = 0
        for k in range(first_event[match], first_event[match + 1]):
            code, at = raw.codes[k] + 0, raw.args[k] + 0
            last = event - 1
            if code == ev.NOTE:
                continue
            if code == ev.SEATED and opened == ev.ROUND:
                made[used], made[used + 1], made[used + 2] = values[at], values[at + 1], values[at + 2]
                used += 3
                made[count_at] += 1
            elif code == ev.CARD and (opened == ev.DEALT or ev.FLOP <= opened <= ev.RIVER):
                made[used] = values[at + 1]
                used += 1
                made[count_at] += 1
                if opened != ev.DEALT and size < len(board):
                    board[size] = values[at + 1]
                    size += 1
            elif code == ev.CARD and opened == ev.COMMON:
                # The log prints the board again before the shown hands.
                continue
            elif code == ev.BLINDS or code == ev.PAYS or code == ev.COMMON:
                opened = code
            elif code == ev.PAID_TO and (opened == ev.BLINDS or opened == ev.PAYS):
                _write(out, event, ev.BLIND if opened == ev.BLINDS else ev.AWARD, raw, k, used)
                made[used], made[used + 1] = values[at], values[at + 1]
                used += 2
                event += 1
            elif code == ev.ASKED:
                asked = values[at] + 0
                opened = ev.NOTE
            elif ev.LISTED_FOLD <= code <= ev.LISTED_BLIND:
                done = _decision(code, ev.LISTED_FOLD)
                if values[at] == waiting and done != ev.UNKNOWN:
                    # The action that follows the answer: the server may have corrected it.
                    out.codes[answer + 1] = done
                    made[out.args[answer + 1] + 1] = values[at + 3]
                    waiting = -1
                    _write(out, event, ev.CHIPS, raw, k, used)
                    made[used], made[used + 1], made[used + 2] = values[at], values[at + 3], values[at + 1]
                    used += 3
                    event += 1
            elif code == ev.LIST_END:
                if asked >= 0:
                    answer, waiting = event, asked
                    _write(out, event, ev.ANSWER, raw, k, used)
                    _write(out, event + 1, ev.AS_SAID, raw, k, used + ANSWER_SIZE)
                    made[used], made[used + 1] = asked, -1
                    made[used + 2] = made[used + 3] = made[used + 4] = 0
                    used += ANSWER_SIZE
                    made[used], made[used + 1] = asked, 0
                    used += 2
                    event += 2
                    asked = -1
            elif ev.SAID_FOLD <= code <= ev.SAID_ALL_IN or code == ev.SAID_OTHER:
                if values[at] != waiting:
                    # The answer came too late.
                    continue
                place = out.args[answer] + 0
                made[place + 1] = _decision(code, ev.SAID_FOLD)
                if code == ev.SAID_RAISE or code == ev.SAID_OTHER:
                    made[place + 2] = values[at + 1]
                if code == ev.SAID_OTHER:
                    made[place + 3] = values[at + 2]
                out.lines[answer] = out.lines[answer + 1] = raw.lines[k]
            elif (
                (code == ev.LATE or code == ev.GONE)
                and _is_decision(opened)
                and made[out.args[last]] == values[at]
            ):
                # The log prints the action before the fault.
                place, done = out.args[last] + 0, out.codes[last] + 0
                out.codes[last] = code
                _write(out, event, done, raw, k, place)
                event += 1
                opened = ev.NOTE
            else:
                raises = code == ev.CHIPS and (opened == ev.BLIND or opened == ev.RAISE)
                if raises and made[out.args[last]] == values[at]:
                    made[out.args[last] + 1] = values[at + 1]
                _write(out, event, code, raw, k, used)
                event += 1
                opened = code
                if code == ev.ROUND:
                    made[used], made[used + 1] = values[at], 0
                    count_at = used + 1
                    used += 2
                    size, asked, waiting = 0, -1, -1
                elif code == ev.DEALT or code == ev.BLIND or code == ev.RAISE:
                    made[used], made[used + 1] = values[at], 0
                    count_at = used + 1
                    used += 2
                elif ev.FLOP <= code <= ev.RIVER:
                    if code > ev.FLOP:
                        made[used] = size
                        for card in range(size):
                            made[used + 1 + card] = board[card]
                        used += 1 + size
                    count_at = used
                    made[count_at] = 0
                    used += 1
                elif ev.SHOW_HIGH_CARD <= code <= ev.SHOW_STRAIGHT_FLUSH:
                    at += before_shown
                    made[used], made[used + 1] = values[at], 2
                    made[used + 2], made[used + 3] = values[at + 2], values[at + 4]
                    used += 4
                else:
                    for value in range(_size(code)):
                        made[used + value] = values[at + value]
                    used += _size(code)
    edges[len(edges) - 1] = event


# Cutting

_REGISTERED: Final = re.compile(rb"^reg: (?:player id=)?(\S+) ", re.MULTILINE)
_SEATED: Final = re.compile(rb"^(?:[a-z ]+: )?(\S+) (\d+) (\d+)[ \t]*\r?$", re.MULTILINE)
_SEATS: Final = re.compile(rb"^seat/[ \t]*\r?\n(.*?)^/seat", re.MULTILINE | re.DOTALL)
_NUMBER: Final = re.compile(rb"-\d+>[ \t]*\r?\n")
_BLANK: Final = rb"(?:-\d+>)?[ \t]*\r?\n"
_POSTED: Final = re.compile(
    rb"^player \S+ action blind[ \t]*\r?\n(?:%s)*player \S+ bet (\d+) " % _BLANK, re.MULTILINE
)
_DEALT: Final = re.compile(rb"^player (\S+):hold/[ \t]*\r?\n((?:[A-Z]+ \w+[ \t]*\r?\n)+)", re.MULTILINE)
_POSTED_IN_LOG: Final = re.compile(rb"^\S+: (\d+)[ \t]*\r?$", re.MULTILINE)
_HAND_OF_LOG: Final = re.compile(rb"^-----\d+ Hand-----", re.MULTILINE)


def _starts(text: Text) -> list[int]:
    """Where replays of games begin: the number above the first line of each."""
    found = []
    for at in lines_with(text, _OPENS).tolist():
        above = line_start(text, at - 1) if at else at
        found.append(above if above < at and _NUMBER.fullmatch(line_at(text, above)) else at)
    return found


def cut(text: Text) -> list[MatchText]:
    """The replays of a text, in order."""
    return _cut(text, NAME, lines_with(text, HAND_LINE).tolist(), _starts(text), _POSTED)


def cut_log(text: Text) -> list[MatchText]:
    """The games of a server's log, in order."""
    hands = [hand.start() for hand in _HAND_OF_LOG.finditer(text)] if OPENS_LOG in text else []
    return _cut(text, NAME_OF_LOG, hands, lines_with(text, OPENS_LOG).tolist(), _POSTED_IN_LOG)


def _cut(
    text: Text, engine: str, hands: list[int], starts: list[int], posted: re.Pattern[bytes]
) -> list[MatchText]:
    """The games of a text that begin at some places; the seats are those of the first hand, the button's first."""
    if not hands:
        return []
    if not starts or hands[0] < starts[0]:
        starts.insert(0, 0)
    found: list[MatchText] = []
    for k, (start, end) in enumerate(pairwise([*starts, len(text)])):
        place = bisect_left(hands, start)
        hand = hands[place] if place < len(hands) and hands[place] < end else end
        after = hands[place + 1] if place + 1 < len(hands) and hands[place + 1] < end else end
        block = _SEATS.search(text, hand, after)
        seats = _SEATED.findall(block[1]) if block else []
        names = dict.fromkeys(name for name, _, _ in seats)
        names |= dict.fromkeys(_REGISTERED.findall(text, start, hand)) if seats else {}
        dealt = text.find(CLOSES, block.end() if block else hand, after)
        blinds = (
            [max(number_in(said), 0) for said in posted.findall(text, block.end(), dealt)] if block else []
        )
        small = blinds[0] if blinds else 0
        found.append(
            TableMatch(
                start if k else 0,
                start,
                end,
                tuple(names),
                cut_short=end == len(text) and not text.endswith(b"\n"),
                opening=start,
                engine=engine,
                stack=max(0, *(number_in(said) for _, said, _ in seats)) if seats else 0,
                small_blind=small,
                big_blind=blinds[1] if len(blinds) > 1 else 2 * small,
                deal=tuple((name, *cards.split()) for name, cards in _DEALT.findall(text, hand, after)),
            )
        )
    return found


KIND: Final = "the server's log of a replay"

Games = dict[tuple[tuple[bytes, ...], ...], tuple[tuple[bytes, ...], Answers]]
"""The players and answers of games, by the cards of the first hand."""


class ServerLogs:
    """The logs of the replays of an ingest: among its inputs, or on disk in a replay's folder."""

    def __init__(self, given: Sequence[Source], complain: Callable[[str], None]) -> None:
        """Nothing is read yet."""
        self._complain = complain
        self._given = {source.path: source for source in given}
        self._limits = limits_among(given)
        self._games = cache(self._read)

    def is_sidecar(self, source: Source, head: bytes) -> bool:
        """True for a server's log of a game whose replay is among the inputs."""
        partner = self._given.get(replay_beside(source.path))
        if partner is None:
            return False
        deals = {
            match.deal
            for match in cut(self._text(partner)[0])
            if isinstance(match, TableMatch) and match.deal
        }
        return any(match.deal in deals for match in cut_log(head) if isinstance(match, TableMatch))

    def _text(self, source: Source) -> tuple[bytes, int]:
        """A file's text, empty if it cannot be read, and its file_id."""
        try:
            with closing(examine(source)) as opened:
                if opened.whole:
                    return opened.head, opened.file_id
                return source.whole(), opened.file_id
        except SourceError as error:
            self._complain(f"{source.path}: line 1: {error}")
        return b"", 0

    def _read(self, path: str) -> Games:
        """The players and answers of a log's games, by the cards of the first hand."""
        source = self._given.get(path)
        if source is None:
            beside = sources([path], self._complain, self._limits) if Path(path).is_file() else ()
            source = next(iter(beside), None)
        text, file_id = self._text(source) if source is not None else (b"", 0)
        matches = [match for match in cut_log(text) if isinstance(match, TableMatch) and match.names]
        if not matches:
            return {}
        scanned = read_events(np.frombuffer(text, np.uint8), matches, LOG, Pool())
        found = {}
        for k, match in enumerate(matches):
            first, last = scanned.first_event[k : k + 2].tolist()
            codes, args = scanned.events.codes[first:last], scanned.events.args[first:last]
            values = scanned.events.values
            hands = codes == ev.ROUND
            numbers = np.append(0, values[args[hands]])[np.cumsum(hands)]
            rows = np.flatnonzero(codes == ev.ANSWER)
            lines = scanned.events.lines[first:last][rows] + text.count(b"\n", 0, match.body)
            at = args[rows]
            answers = np.stack((numbers[rows], values[at], values[at + 1], values[at + 2], lines), axis=1)
            found[match.deal] = match.names, Answers(file_id, answers.astype(np.int64))
        return found

    def inform(self, piece: Piece, source: Source) -> Piece:
        """A piece of a replay, with the players' answers added to its games."""
        if not any(isinstance(match, TableMatch) and match.deal for match in piece.matches):
            return piece
        path = log_beside(source.path)
        games = self._games(path) if path else {}
        if not games:
            return piece
        return replace(piece, matches=tuple(_informed(match, games) for match in piece.matches))


def _informed(match: MatchText, games: Games) -> MatchText:
    if not isinstance(match, TableMatch) or match.deal not in games:
        return match
    names, answers = games[match.deal]
    if set(names) != set(match.names):
        return match
    rows = answers.rows.copy()
    # Players without a hand have another order in the log than in the replay.
    rows[:, 1] = np.array([match.names.index(name) for name in names])[rows[:, 1]]
    return replace(match, answers=Answers(answers.file_id, rows))
