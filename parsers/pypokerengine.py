"""Game replays of PyPokerEngine: one JSON document per game, with all rounds and every player's hole cards.

A seat is an index into `seats`; the stacks at the start of a round are those after the blinds and antes.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Final

import msgspec

from .record_values import UNDECODED, Number, moment
from .records import Record
from .table_lines import QUOTED, Lines, RecordError, cards_text

NAME: Final = "pypokerengine-replay"

STREETS: Final = ("preflop", "flop", "turn", "river")
_BOARDS: Final = (0, 3, 4, 5)
_KINDS: Final = (
    "HIGHCARD",
    "ONEPAIR",
    "TWOPAIR",
    "THREECARD",
    "STRAIGHT",
    "FLASH",
    "FULLHOUSE",
    "FOURCARD",
    "STRAIGHTFLASH",
)
"""The engine's names of hands, the weakest first."""
_POSTS: Final = {"SMALLBLIND": "small", "BIGBLIND": "big", "ANTE": "ante"}
_OUT: Final = "folded"
"""In `start_state`: a player without chips, who is still dealt cards."""


class _Rule(msgspec.Struct):
    initial_stack: Number
    small_blind_amount: Number


class _Player(msgspec.Struct):
    uuid: str
    name: str


class Game(msgspec.Struct):
    """The fields of a replay's document that railbird reads; rounds are decoded one by one."""

    rule: _Rule
    seats: list[_Player]
    rounds: list[msgspec.Raw]
    timestamp: Any = None


class _Answer(msgspec.Struct):
    line: str = ""
    time_elapsed: float | None = None
    time_bank: Any = None
    failed: bool = False


class _Action(msgspec.Struct):
    uuid: str
    action: str
    amount: int = 0
    paid: int = 0
    bot: _Answer | None = None


class _Seat(msgspec.Struct):
    uuid: str
    start_stack: int
    stack: int
    start_state: str
    hole_card: tuple[str, ...]


class _State(msgspec.Struct):
    round_count: int
    dealer_btn: int
    small_blind_pos: int
    seats: list[_Seat]
    action_histories: dict[str, list[_Action]]
    community_card: tuple[str, ...]


class _Shown(msgspec.Struct):
    uuid: str
    hand: dict[str, Any]


class _Round(msgspec.Struct):
    round_state: _State
    hand_info: list[_Shown] = []


RECORD: Final = Game
_read_round: Final = msgspec.json.Decoder(_Round).decode


def translate(records: Iterator[Record], out: Lines) -> Iterator[None]:
    """The games of a file's documents as table lines."""
    for record in records:
        game: Game = record.value
        blind = game.rule.small_blind_amount
        names = [player.name for player in game.seats]
        began = moment(game.timestamp)
        out.match(names, NAME, stack=game.rule.initial_stack, small=blind, big=2 * blind, played_at=began)
        seat_of = {player.uuid: seat for seat, player in enumerate(game.seats)}
        for number, raw in enumerate(game.rounds, 1):
            out.at(number, bytes(memoryview(raw)[:QUOTED]))
            with out.hand_or_nothing():
                _hand(_decoded(raw), seat_of, blind, out)
        yield


def _decoded(raw: msgspec.Raw) -> _Round:
    try:
        return _read_round(raw)
    except UNDECODED as error:
        raise RecordError(f"a round that cannot be read: {error}") from None


@lru_cache(1 << 13)
def _rank_first(cards: tuple[str, ...]) -> str:
    """Cards of the engine, the suit first, as a line has them."""
    return cards_text(tuple(card[1:] + card[:1].lower() for card in cards))


def _hand(play: _Round, seat_of: Mapping[str, int], small: int, out: Lines) -> None:
    state = play.round_state
    add = out.lines.append
    if [seat_of.get(seat.uuid) for seat in state.seats] != list(range(len(seat_of))):
        raise RecordError("a round whose seats are not those of the game")
    if not 0 <= state.dealer_btn < len(state.seats):
        raise RecordError("a round whose dealer has no seat")
    before = state.action_histories.get(STREETS[0], [])
    posted: dict[int, int] = {}
    for action in before:
        if action.action in _POSTS:
            seat = seat_of.get(action.uuid, -1)
            posted[seat] = posted.get(seat, 0) + action.amount
    order = [(state.dealer_btn + k) % len(state.seats) for k in range(1, len(state.seats) + 1)]
    playing = [seat for seat in order if state.seats[seat].start_state != _OUT]
    add(f"hand {state.round_count} {state.dealer_btn}")
    add(f"limit 0 {2 * small} 0")
    if not posted.keys() <= set(playing):
        raise RecordError("a round in which somebody posts who does not play it")
    left = {}
    for seat in playing:
        stack = state.seats[seat].start_stack + posted.get(seat, 0)
        left[seat] = stack
        add(f"seat {seat} {stack}")
    bet = 0
    pips = dict.fromkeys(playing, 0)
    for action in before:
        if (word := _POSTS.get(action.action)) is not None:
            seat = seat_of[action.uuid]
            add(f"{word} {seat} {action.amount}")
            left[seat] -= action.amount
            if word != "ante":
                pips[seat] += action.amount
                bet = max(bet, pips[seat])
    if len(playing) == 2:
        # Heads-up the dealer is the big blind.
        add(f"first {state.small_blind_pos}")
    for seat in playing:
        add(f"deal {seat} {_rank_first(state.seats[seat].hole_card)}")
    active = set(playing)
    board = state.community_card
    for street, name in enumerate(STREETS):
        if street and len(active) > 1:
            add(f"board {_rank_first(board[_BOARDS[street - 1] : _BOARDS[street]])}")
            pips, bet = dict.fromkeys(playing, 0), 0
        for action in state.action_histories.get(name, []):
            if action.action in _POSTS:
                continue
            seat = seat_of.get(action.uuid, -1)
            if seat not in pips:
                raise RecordError("a round in which somebody acts who does not play it")
            if action.bot is not None and action.bot.failed:
                add(f"gone {seat}")
            if action.action == "FOLD":
                add(f"fold {seat}")
                active.discard(seat)
            elif action.action == "CALL":
                due = min(bet - pips[seat], left[seat])
                pips[seat] += action.paid
                add(f"call {seat}" if action.paid == max(due, 0) else f"call_to {seat} {pips[seat]}")
                left[seat] -= action.paid
            elif action.action == "RAISE":
                pips[seat] = bet = action.amount
                add(f"raise {seat} {action.amount}")
                left[seat] -= action.paid
            else:
                raise RecordError("a round with an action of another name")
            if (said := action.bot) is not None:
                out.note(seat, said.time_elapsed, _status(said), said.line)
    for shown in play.hand_info:
        _show(shown, seat_of, out)
    for seat in playing:
        won = state.seats[seat].stack - left[seat]
        if won:
            add(f"total {seat} {won}")
    for seat in playing:
        add(f"left {seat} {state.seats[seat].stack}")
    add("end")


def _status(said: _Answer) -> str:
    """What the engine says of an answer; `decision_times` reads the seconds left in the time bank from it."""
    bank = said.time_bank
    known = isinstance(bank, int | float) and not isinstance(bank, bool)
    left = f"time bank {max(bank, 0.0):.3f} s" if known else ""
    return "; ".join(filter(None, ("failed" if said.failed else "", left)))


def _show(shown: _Shown, seat_of: Mapping[str, int], out: Lines) -> None:
    """A hand at the showdown, and the engine's name for it."""
    seat, hand = seat_of.get(shown.uuid), shown.hand
    cards, kind = hand.get("hole_card"), hand.get("hand")
    if seat is None or not isinstance(cards, list) or not all(isinstance(card, str) for card in cards):
        raise RecordError("a round with a hand shown that cannot be read")
    out.add(f"show {seat} {_rank_first(tuple(cards))}")
    name = kind.get("strength") if isinstance(kind, dict) else None
    if name in _KINDS:
        out.add(f"called {seat} {_KINDS.index(name)}")
