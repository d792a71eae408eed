"""The ACPC dealer's log: one line per hand, amounts are totals of the hand, results may be fractions.

A run of hands is a folder: its log, and beside it the definition of its game, which the log only names.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from ..parsers.acpc_game import MAX_PLAYERS, NO_STACK, Definition, write_definition
from ..replay.acpc.dealer import printed
from ..replay.acpc.definitions import PREFIX
from ..replay.games import HOLDEM_BOARDS, HOLDEM_STREETS
from .hands import CannotHold, Cards, Format, Hand, Match, Names, Options, Seat, Text, check_sound
from .posts import BIG, SMALL
from .pots import replay

_REPLACED: Final = re.compile(r"[:|#;\x00-\x1f\x7f]")
_TIMES: Final = ("t_response 600000", "t_hand 600000", "t_per_hand 7000")
_NO_CAP: Final = 255
NEW_RUN: Final = "hands that begin a log of their own, after a gap or with other stakes"


@dataclass(frozen=True)
class _Stakes:
    """What a definition fixes for every hand, by place."""

    stacks: tuple[int, ...]
    blinds: tuple[int, ...]
    first: int


class Acpc(Format):
    """A folder for each run of hands that readers take for one match.

    Their numbers go on by one, and so does the button unless it stays; stacks and blinds are always the same. Where a
    hand is left out, or something else changes, the next hand begins a run of its own.
    """

    def __init__(self, options: Options) -> None:
        """For one export."""
        super().__init__(options)
        self.names = Names(_REPLACED)

    def begin(self, match: Match) -> None:
        """No hand has been written."""
        self.called = self.names.of(match.players)
        self.runs = 0
        self.run: _Run | None = None

    def write(self, hand: Hand) -> Iterator[Text]:
        """A line; before the first of a run what ends the run before it."""
        check_sound(hand)
        match = hand.match
        seats = _places(hand)
        if match.blinds_by_position is None:
            _check_holdem(hand, seats)
        if any(not seat.hole or None in seat.hole for seat in seats):
            raise CannotHold("unknown hole cards")
        if hand.hand_no is None:
            raise CannotHold("no hand number")
        stakes = _stakes(hand, seats)
        names = [self.called.names[seat.seat] for seat in seats]
        notes = self.called.notes([seat.seat for seat in seats])
        goes_on = self.run is not None and self.run.takes(hand.hand_no, seats, stakes)
        run = (
            self.run
            if self.run is not None and goes_on
            else _Run(match, hand.hand_no, seats, stakes, self.runs + 1)
        )
        line = _line(hand, seats, hand.hand_no + run.offset, names)
        if not goes_on:
            yield from self._finish()
            self.run, self.runs = run, self.runs + 1
            if self.runs > 1:
                notes = (*notes, NEW_RUN)
            line = run.header() + line
        run.add(hand.hand_no, seats)
        yield Text(run.log, line, notes)

    def _finish(self) -> Iterator[Text]:
        """The definition of a run that is over."""
        if self.run is not None:
            definition = _definition(self.run.match, self.run.stakes)
            yield Text(f"{self.run.folder}/{definition.name}.game", write_definition(definition))

    def end(self, match: Match) -> Iterator[Text]:
        """The final line of a match whose hands are all there, and the definition."""
        run = self.run
        if run is not None and match.complete and run.lines == match.hands:
            seats = range(len(match.players)) if run.turns else run.order
            totals = "|".join(printed(run.totals[seat]) for seat in seats)
            yield Text(run.log, f"SCORE:{totals}:{'|'.join(self.called.names[seat] for seat in seats)}\n")
        yield from self._finish()


class _Run:
    """Hands that follow one another.

    offset  what a hand's number is more than in the store: it tells readers who sits where
    turns   the button moves on by a seat; stays: it does not move
    """

    def __init__(self, match: Match, hand_no: int, seats: list[Seat], stakes: _Stakes, number: int) -> None:
        self.match, self.stakes = match, stakes
        self.folder = str(match.match_id) if number == 1 else f"{match.match_id}-{number}"
        self.log = f"{self.folder}/{self.folder}.log"
        self.offset = (seats[0].seat - hand_no) % len(seats)
        self.last = hand_no - 1
        self.order = [seat.seat for seat in seats]
        self.turns = self.stays = True
        self.lines = 0
        self.totals = [0.0] * len(match.players)

    def _seating(self, hand_no: int, seats: list[Seat]) -> tuple[bool, bool]:
        turns = self.turns and (hand_no + self.offset - seats[0].seat) % len(seats) == 0
        return turns, self.stays and [seat.seat for seat in seats] == self.order

    def takes(self, hand_no: int, seats: list[Seat], stakes: _Stakes) -> bool:
        """Whether a hand follows the last one."""
        return hand_no == self.last + 1 and stakes == self.stakes and any(self._seating(hand_no, seats))

    def add(self, hand_no: int, seats: list[Seat]) -> None:
        """A hand is written."""
        self.turns, self.stays = self._seating(hand_no, seats)
        self.last = hand_no
        self.lines += 1
        for seat in seats:
            self.totals[seat.seat] += seat.delta or 0.0

    def header(self) -> str:
        """The header, if the seed deals the cards: readers take them from it."""
        match = self.match
        if match.seed is None or match.blinds_by_position is None or self.offset:
            return ""
        words = f"{self.folder} {_game_name(match)}.game {match.hands} {match.seed}"
        return f"# name/game/hands/seed {words}\n" + "".join(f"#--{time}\n" for time in _TIMES)


def _game_name(match: Match) -> str:
    return re.sub(r"[^\w.-]", "_", match.rules.game.removeprefix(PREFIX))


def _places(hand: Hand) -> list[Seat]:
    """The seats from the one after the dealer."""
    if hand.dealer_seat is None or not hand.match.rules.button:
        raise CannotHold("no dealer button")
    count = len(hand.match.players)
    if len(hand.seats) != count or count > MAX_PLAYERS:
        raise CannotHold("not all players of the match are in the hand")
    return sorted(hand.seats, key=lambda seat: (seat.seat - (hand.dealer_seat or 0) - 1) % count)


def _check_holdem(hand: Hand, seats: list[Seat]) -> None:
    """CannotHold for a hand that the dealer's rules do not allow, or would pay otherwise."""
    played = replay(hand)
    played.require_legal()
    played.require_result()
    if played.seats != seats:
        raise CannotHold("seats that are not in the order of play")
    if played.rules.holes != 2 or played.rules.short:
        raise CannotHold("another game than hold'em")
    if any(post.kind not in (SMALL, BIG) for post in played.posts.all):
        raise CannotHold("antes, straddles or extra blinds")
    if played.big_blind != max(played.posts.live):
        raise CannotHold("a least bet that is not the big blind")
    if any(pot.rake for pot in played.pots):
        raise CannotHold("a rake")
    for moves in played.moves:
        bets = [*played.posts.live] if moves is played.moves[0] else [0.0] * len(played.seats)
        for move in moves:
            if move.kind == "fold" and bets[move.place] >= max(bets):
                raise CannotHold("a fold with nothing to call")
            bets[move.place] = move.to
    if not played.fractions and any(pot.chips % max(len(pot.paid), 1) for pot in played.pots):
        raise CannotHold("an odd chip that is not split")


def _whole(chips: float) -> int:
    if not float(chips).is_integer():
        raise CannotHold("bets of fractions of a chip")
    return int(chips)


def _stakes(hand: Hand, seats: list[Seat]) -> _Stakes:
    place = {seat.seat: k for k, seat in enumerate(seats)}
    blinds = [0] * len(seats)
    for action in hand.actions:
        if action.action == "post":
            blinds[place[action.seat]] += _whole(action.amount_to or 0.0)
    first = next((place[action.seat] for action in hand.actions if action.played), None)
    if first is None:
        raise CannotHold("no player decided anything")
    if len({seat.stack_start is None for seat in seats}) > 1:
        raise CannotHold("stacks of which only some are known")
    stacks = tuple(NO_STACK if seat.stack_start is None else _whole(seat.stack_start) for seat in seats)
    return _Stakes(stacks, tuple(blinds), first)


def _definition(match: Match, stakes: _Stakes) -> Definition:
    """The rules of a match as the dealer reads them."""
    boards = tuple(match.rules.board_cards or HOLDEM_BOARDS)
    rounds = len(boards)
    antes = min(stakes.blinds) == max(stakes.blinds)
    caps = match.raise_caps or (_NO_CAP + (not antes), *[_NO_CAP] * (rounds - 1))
    return Definition(
        name=_game_name(match),
        nolimit=match.raise_sizes is None,
        players=len(match.players),
        rounds=rounds,
        stacks=stakes.stacks,
        blinds=stakes.blinds,
        raise_sizes=tuple(map(_whole, match.raise_sizes or (0,) * rounds)),
        first=(stakes.first, *[0] * (rounds - 1)),
        max_raises=tuple(min(cap - (not antes and k == 0), _NO_CAP) for k, cap in enumerate(caps)),
        suits=match.rules.suits or 4,
        ranks=match.rules.ranks or 13,
        hole_cards=match.rules.hole_cards or 2,
        board_cards=tuple(after - before for before, after in zip((0, *boards), boards, strict=False)),
    )


def _line(hand: Hand, seats: list[Seat], number: int, names: list[str]) -> str:
    betting, last = _betting(hand, seats)
    boards = tuple(hand.match.rules.board_cards or HOLDEM_BOARDS)
    board: Cards = hand.board or ()
    if len(board) < boards[last] or None in board:
        raise CannotHold("board cards that the log leaves out")
    cards = "|".join("".join(card or "" for card in seat.hole) for seat in seats)
    for street in range(1, last + 1):
        cards += "/" + "".join(card or "" for card in board[boards[street - 1] : boards[street]])
    if any(seat.delta is None for seat in seats):
        raise CannotHold("a result that the log does not tell")
    results = "|".join(printed(seat.delta or 0.0) for seat in seats)
    return f"STATE:{number}:{betting}:{cards}:{results}:{'|'.join(names)}\n"


def _betting(hand: Hand, seats: list[Seat]) -> tuple[str, int]:
    """The betting as the dealer prints it, and the last round, which a showdown always reaches."""
    place = {seat.seat: k for k, seat in enumerate(seats)}
    put, live = [0.0] * len(seats), len(seats)
    text, street = "", 0
    nolimit = hand.match.raise_sizes is None
    for action in hand.actions:
        if action.action == "post":
            put[place[action.seat]] += action.amount_to or 0.0
        if not action.played or action.action == "post":
            continue
        text += "/" * (action.street - street)
        street = action.street
        put[place[action.seat]] += action.chips_added or 0.0
        if action.action == "fold":
            text, live = text + "f", live - 1
        elif action.action in ("check", "call"):
            text += "c"
        else:
            text += f"r{_whole(put[place[action.seat]])}" if nolimit else "r"
    last = len(hand.match.rules.streets or HOLDEM_STREETS) - 1 if live > 1 else street
    return text + "/" * (last - street), last
