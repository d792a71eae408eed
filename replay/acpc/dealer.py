"""Simulates the ACPC dealer: any definition, its log, and its error log.

The seed gives the cards as in the dealer. An illegal raise is moved into bounds, any other illegal answer becomes a
call; a bot that is late or gone ends the match, and the log then stops after the last finished hand.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import accumulate, pairwise
from typing import Final

import numpy as np

from ...jit.bundles import new_record
from ...parsers.acpc_game import Definition
from .. import betting as b
from ..bots import GARBLED, GONE, LATE, Answer, View
from ..cards import card_texts
from ..evaluator import strength_of
from ..records import BET, CALL, CHECK, CHOICE, FOLD, RAISE, SUBSTITUTE
from ..simulate import Acted, Order, Played, PlayedHand
from . import cards as seeded
from . import state as s
from .definitions import PREFIX, named, positions_of, shipped

TITLE: Final = "simulated"
"""The name of the match in the header; bots do not see it."""

_TIMES: Final = ("t_response 600000", "t_hand 600000", "t_per_hand 7000")
_SECONDS: Final = 1_700_000_000
_PAIR: Final = 2


@dataclass
class AcpcHand(PlayedHand):
    """A hand of the dealer's: payouts by seat are exact; betting is as printed; undealt is the rest of the board."""

    payouts: list[Fraction] = field(default_factory=list)
    betting: str = ""
    undealt: list[int] = field(default_factory=list)


@dataclass(frozen=True)
class AcpcPlayed(Played):
    """A match that was played, and the text of its error log."""

    hands: tuple[AcpcHand, ...]
    errors: str = ""


class MatchOver(Exception):
    """A player is late or gone."""


def printed(value: Fraction | float) -> str:
    """A number as the dealer prints it: six decimals, zeros and a point at the end left out."""
    text = f"{float(value):.6f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def payouts(spent: Sequence[int], folded: Sequence[bool], strengths: Sequence[int]) -> list[Fraction]:
    """Each player's gain, by position: the pots of all levels of chips, split exactly."""
    gains = [Fraction(-chips) for chips in spent]
    below = 0
    for level in sorted(set(spent)):
        inside = [k for k, chips in enumerate(spent) if chips >= level]
        staying = [k for k in inside if not folded[k]]
        # Unmatched chips are returned.
        best = max((strengths[k] for k in staying), default=0)
        winners = [k for k in staying if strengths[k] == best] or inside
        for k in winners:
            gains[k] += Fraction((level - below) * len(inside), len(winners))
        below = level
    return gains


class Table:
    """One hand under way, by position."""

    def __init__(self, game: Definition, holes: list[tuple[int, ...]], board: list[int]) -> None:
        """The cards are all drawn; blinds are posted."""
        self.game, self.holes, self.coming = game, holes, board
        self.row, self.bets = s.row_of(game), new_record(b.BETTING)
        b.begin(self.bets, game.players, 1)
        self.bets["stack"][: game.players] = game.stacks
        for place, blind in enumerate(game.blinds):
            b.put(self.bets, 0, place, blind)
        b.begin_bets(self.row, self.bets)
        self.betting = ""
        self.over = False
        self.player = self._next(game.first[0])
        dealt = accumulate(game.board_cards, initial=0)
        self._hole_texts = ["".join(card_texts(hole)) for hole in holes]
        self._board_texts = ["".join(card_texts(board[a:b])) for a, b in pairwise(dealt)]

    @property
    def spent(self) -> list[int]:
        """Chips that the players have put in."""
        return list(map(int, self.bets["spent"][: self.game.players].tolist()))

    @property
    def round(self) -> int:
        """From 0."""
        return int(self.bets["street"])

    def has_folded(self, player: int) -> bool:
        """True for a player who is out of the hand."""
        return bool(self.bets["out"][0, player])

    def _next(self, player: int) -> int:
        return max(int(b.next_to_act(self.bets, player)), 0)

    def board(self) -> list[int]:
        """The cards dealt so far."""
        return self.coming[: sum(self.game.board_cards[: self.round + 1])]

    def bounds(self) -> tuple[int, int]:
        """The lowest and highest raise of the player to act, in chips of the hand; zeros if none is legal."""
        may, lowest, highest = b.legal_raise(self.row, self.bets, self.player)
        return (int(lowest), int(highest)) if may else (0, 0)

    def act(self, action: int, to: int) -> None:
        """Carry out a legal FOLD, CALL or RAISE, and pass the turn to the next player who may act."""
        player, bets = self.player, self.bets
        bets["acted"] += 1
        if action == FOLD:
            b.fold(bets, 0, player)
            self.betting += "f"
        elif action == CALL:
            b.match_most(bets, player)
            self.betting += "c"
        else:
            b.raise_total(bets, player, to)
            self.betting += f"r{to}" if self.game.nolimit else "r"
        if bets["folded"] >= 0:
            self.over = True
        elif b.is_answered(bets):
            self._end_round()
        else:
            self.player = self._next(player + 1)

    def _end_round(self) -> None:
        last = self.game.rounds - 1
        self.over = bool(b.acting_players(self.bets) <= 1) or self.round == last
        while self.round < last:
            self.betting += "/"
            b.begin_street(self.row, self.bets)
            if not self.over:
                self.player = self._next(self.game.first[self.round])
                return

    def pay(self) -> list[Fraction]:
        """The payouts by position."""
        strengths = [0] * self.game.players
        if self.shown_down:
            for k, hole in enumerate(self.holes):
                cards = np.array((*hole, *self.board()), np.int64)
                strengths[k] = int(strength_of(cards, len(cards)))
        folded = [self.has_folded(k) for k in range(self.game.players)]
        return payouts(self.spent, folded, strengths)

    @property
    def shown_down(self) -> bool:
        """More than one player did not fold."""
        return bool(self.bets["active"][0] > 1)

    def cards(self, seen_by: int | None) -> str:
        """The cards as a line has them; seen_by: a position, None for the log, which shows all."""
        shown = self.over and self.shown_down
        hands = [
            text if seen_by in (None, k) or (shown and not self.has_folded(k)) else ""
            for k, text in enumerate(self._hole_texts)
        ]
        return "/".join(("|".join(hands), *self._board_texts[1 : self.round + 1]))


def _state(table: Table, hand: AcpcHand, position: int) -> str:
    """The state of a hand as sent to the player in a position."""
    return f"MATCHSTATE:{position}:{hand.number}:{table.betting}:{table.cards(position)}"


class Dealer:
    """One match."""

    def __init__(self, order: Order, game: Definition, fixed: bool, title: str) -> None:
        """Raises ValueError if the players are not as many as the definition says."""
        if len(order.players) != game.players:
            raise ValueError(f"{game.name} is for {game.players} players, not {len(order.players)}")
        self.order, self.game, self.fixed = order, game, fixed
        self.row = s.row_of(game)
        self.positions = positions_of(game, game.players)
        self.scratch = s.new_hand()
        seeded.start(self.scratch.generator, order.seed)
        self.lines: list[str] = []
        self.errors: list[str] = []
        self.hands: list[AcpcHand] = []
        self.banks = [0.0] * game.players
        self.clock = 0
        words = f"{title} {game.name}.game {order.hands} {order.seed}"
        for log in (self.lines, self.errors):
            log.append(order.grammar.write("header", words))
            log.extend(order.grammar.write("timing", time.removeprefix("t_")) for time in _TIMES)

    def _now(self) -> str:
        self.clock += 25
        return f"{_SECONDS}.{self.clock:06d}"

    def _draw(self) -> tuple[list[tuple[int, ...]], list[int]]:
        seeded.deal(self.scratch.generator, self.row, self.scratch.deck, self.scratch.drawn)
        drawn = self.scratch.drawn.tolist()
        size = self.game.hole_cards
        holes = [tuple(drawn[k * size : (k + 1) * size]) for k in range(self.game.players)]
        return holes, drawn[self.game.players * size : int(self.row["cards_dealt"])]

    def _tell(self, table: Table, hand: AcpcHand) -> None:
        for seat in range(self.game.players):
            state = _state(table, hand, (seat - hand.dealer - 1) % self.game.players)
            self.errors.append(f"TO {seat + 1} at {self._now()} {state}")

    def _view(self, table: Table, hand: AcpcHand, seats: Sequence[int]) -> View:
        player, game = table.player, self.game
        low, high = table.bounds()
        hole, pip, spent = table.holes[player], int(table.bets["pip"][0, player]), table.spent
        begun = spent[player] - pip
        return View(
            hole=hole if len(hole) >= _PAIR else hole * _PAIR,
            board=table.board(),
            street=table.round,
            pot=sum(spent),
            pip=pip,
            to_call=int(b.price_of_call(table.bets, player)),
            low=low - begun if high else 0,
            high=high - begun if high else 0,
            level=int(table.bets["level"][0]),
            big_blind=game.big_blind,
            may_fold=False,
            others=[h for k, h in enumerate(table.holes) if k != player and not table.has_folded(k)],
            seat=seats[player],
            stack=int(table.bets["stack"][player]) - spent[player] if game.has_stacks else None,
            positions=[self.positions[seats.index(seat)] for seat in range(game.players)],
            acted=hand.actions,
        )

    def _answer(self, table: Table, hand: AcpcHand, seats: Sequence[int]) -> tuple[int, int, int]:
        """(action, amount, origin) after the dealer's corrections of the player's answer."""
        view, seat = self._view(table, hand, seats), seats[table.player]
        begun = table.spent[table.player] - view.pip
        answer = self.order.players[seat].bot.act(view)
        if answer.action in (LATE, GONE):
            self.errors.append(
                f"ERROR: seat {seat + 1} ran out of time"
                if answer.action == LATE
                else f"ERROR: could not get action from seat {seat + 1}"
            )
            raise MatchOver
        low, high = (view.low + begun, view.high + begun) if view.high else (0, 0)
        to = answer.raise_to + begun if self.game.nolimit else high
        self._log_answer(table, hand, seat, answer, to)
        if answer.action == FOLD and view.to_call > 0:
            return FOLD, 0, CHOICE
        if answer.action in (CALL, CHECK):
            return CALL, 0, CHOICE
        if answer.action == RAISE and high:
            if not low <= to <= high:
                way = "increased" if to < low else "decreased"
                self.errors.append(f"WARNING: raise of {to} {way} to {min(max(to, low), high)}")
                hand.faults.append((seat, "illegal"))
            return RAISE, min(max(to, low), high), CHOICE
        wrong = "bad action format in response" if answer.action == GARBLED else "invalid action"
        self.errors.append(f"WARNING: {wrong}, changed to call")
        hand.faults.append((seat, "misformatted" if answer.action == GARBLED else "illegal"))
        return CALL, 0, SUBSTITUTE

    def _log_answer(self, table: Table, hand: AcpcHand, seat: int, answer: Answer, to: int) -> None:
        words = {FOLD: "f", CALL: "c", CHECK: "c", RAISE: f"r{to}" if self.game.nolimit else "r"}
        state = _state(table, hand, table.player)
        self.errors.append(f"FROM {seat + 1} at {self._now()} {state}:{words.get(answer.action, '?')}")

    def play_hand(self, number: int) -> None:
        """Deal, bet, pay and print a hand."""
        players = self.game.players
        turn = 0 if self.fixed else number % players
        seats = [(k + turn) % players for k in range(players)]
        holes, board = self._draw()
        by_seat = [holes[(seat - turn) % players] for seat in range(players)]
        hand = AcpcHand(number, seats[-1], by_seat, [0] * players)
        table = Table(self.game, holes, board)
        self._tell(table, hand)
        while not table.over:
            seat, player = seats[table.player], table.player
            round_, level = table.round, table.bets["level"][0]
            spent = table.spent
            begun = int(spent[player] - table.bets["pip"][0, player])
            behind = max(spent) > spent[player]
            action, to, origin = self._answer(table, hand, seats)
            table.act(action, to)
            if action == CALL and not behind:
                action = CHECK
            if action == RAISE and level == 0:
                action = BET
            hand.actions.append(Acted(round_, seat, action, origin, to - begun if to else -1))
            self._tell(table, hand)
        paid = table.pay()
        names = "|".join(self.order.players[seat].name for seat in seats)
        rest = f"{table.betting}:{table.cards(None)}:{'|'.join(map(printed, paid))}:{names}"
        self.lines.append(self.order.grammar.write("state", number, rest))
        hand.board, hand.betting, hand.undealt = table.board(), table.betting, board[len(table.board()) :]
        hand.payouts = [paid[(seat - turn) % players] for seat in range(players)]
        hand.put = [table.spent[(seat - turn) % players] for seat in range(players)]
        self.banks = [bank + float(gain) for bank, gain in zip(self.banks, hand.payouts, strict=True)]
        self.hands.append(hand)

    def play(self) -> AcpcPlayed:
        """Play the match to its end, or until a player fails."""
        self.errors.append(f"STARTED at {self._now()}")
        names = tuple(player.name for player in self.order.players)
        try:
            for number in range(self.order.hands):
                self.play_hand(number)
        except MatchOver:
            self.errors.append("0.0 seconds spent waiting; timeout 600.0")
        else:
            score = self.order.grammar.write(
                "score", f"{'|'.join(map(printed, self.banks))}:{'|'.join(names)}"
            )
            self.lines.append(score)
            self.errors += [f"FINISHED at {self._now()}", score]
        text, errors = ("".join(line + "\n" for line in log) for log in (self.lines, self.errors))
        return AcpcPlayed(text, names, tuple(self.hands), errors)


def play_by(game: Definition, order: Order, fixed: bool = False, title: str = TITLE) -> AcpcPlayed:
    """Play a match of a definition; fixed: seats do not rotate."""
    return Dealer(order, game, fixed, title).play()


def play(order: Order) -> Played:
    """Play a match of a shipped definition: `acpc/` and its name. ValueError for any other game."""
    name = order.game.name.removeprefix(PREFIX)
    game = named(name, shipped())
    if game is None:
        known = ", ".join(PREFIX + d.name for d in shipped())
        raise ValueError(f"{order.game.name} has no definition that could be played; there are {known}")
    return play_by(game, order)
