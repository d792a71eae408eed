"""Simulates Koper's two engines: v1 plays one match on the console, v2 a tournament of five with rotating seats.

In the truth (`simulate.PlayedHand`) chips are whole cents. Strategies bet fractions of cents: the engine has floats.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Final

import numpy as np

from ...parsers.grammar import Grammar, Value
from ...parsers.koper import LETTERS, V1, V2
from ..bots import GARBLED, View
from ..cards import card_texts
from ..evaluator import strength_of
from ..records import CHOICE, FOLD, PLAY, RAISE
from ..simulate import Acted, Order, Played, PlayedHand, drawn
from . import game as rule
from .settling import ranking

MATCHES: Final = 5
_SAMPLES: Final = 20
_LATER_ROUNDS: Final = ((2, "turn_betting", "Turn"), (3, "river_betting", "River"))
_NOTE: Final = (
    "Note: This rankings are for demonstration purpose only. Clearly, these are highly influenced by the number of "
    "wins of the players. Focus only on maximising profit in a game with a winning hand, and minimising loss in a "
    "game with a losing hand. "
)


def _money(chips: float) -> str:
    return f"{chips:.2f}"


@dataclass
class _Game:
    """A game while it is played; lists by seat."""

    number: int
    starts: list[float]
    holes: list[list[int]]
    board: list[int]
    alive: list[bool]
    out: list[bool] = field(default_factory=lambda: [False] * rule.PLAYERS)
    folded: list[bool] = field(default_factory=lambda: [False] * rule.PLAYERS)
    bets: list[list[float]] = field(default_factory=lambda: [[] for _ in range(rule.PLAYERS)])
    put: list[float] = field(default_factory=lambda: [0.0] * rule.PLAYERS)
    paid: list[float] = field(default_factory=lambda: [0.0] * rule.PLAYERS)
    actions: list[Acted] = field(default_factory=list)

    @property
    def pot(self) -> float:
        """All that was put in."""
        return sum(self.put)

    def playing(self) -> list[int]:
        """The seats that neither folded nor were eliminated."""
        return [
            seat
            for seat in range(rule.PLAYERS)
            if self.alive[seat] and not (self.out[seat] or self.folded[seat])
        ]


class Table:
    """One match: `lines` is the engine's output, `wins` and `stacks` the current score."""

    def __init__(self, order: Order, match: int, deals: Sequence[list[int]]) -> None:
        """Match `match` of the order, from 0, with the cards of each game: two a seat, then the board."""
        self.order, self.match, self.deals = order, match, deals
        self.v1 = order.profile.name == "v1"
        self.grammar: Grammar = V1 if self.v1 else V2
        shift = [(seat + match) % rule.PLAYERS for seat in range(rule.PLAYERS)]
        self.bots = [order.players[k].bot for k in shift]
        self.players = [order.players[k].name for k in shift]
        letters = [letter.decode() for letter in LETTERS]
        self.names = letters if self.v1 else self.players
        self.letters = letters
        self.stacks = [float(order.game.stack)] * rule.PLAYERS
        self.wins = [0.0] * rule.PLAYERS
        self.lost = [False] * rule.PLAYERS
        self.noise = order.random(f"cents {match}")
        self.equity = order.random("equity")
        self.lines: list[str] = []
        self.hands: list[PlayedHand] = []

    def say(self, event: str, *values: Value) -> None:
        """Print a line."""
        self.lines.append(self.grammar.write(event, *values))

    def section(self, event: str) -> None:
        """Print what comes before a new part of a game."""
        self.lines += ["", " "] if self.v1 else [""]
        self.say(event)

    def play(self) -> None:
        """Play until the games are over, or fewer than two players are left."""
        for number in range(1, self.order.hands + 1):
            if not self._game(number):
                break
        if self.v1:
            self._standings()

    def _game(self, number: int) -> bool:
        """Play a game; False if the match ends with it."""
        deal = self.deals[number - 1]
        holes = [deal[2 * seat : 2 * seat + 2] for seat in range(rule.PLAYERS)]
        game = _Game(
            number, list(self.stacks), holes, deal[2 * rule.PLAYERS :], [not lost for lost in self.lost]
        )
        if self.v1:
            self.lines.append("")
            self.say("round", number)
        else:
            self.say("round", self.match + 1, number)
        self.section("buy_in")
        self._buy_in(game)
        self.say("community", card_texts(game.board))
        if len(game.playing()) < 2:
            self.say("too_few")
            self.lines += [] if self.v1 else [""]
            self._keep(game)
            return False
        self._first_round(game)
        playing = game.playing()
        if not playing:
            self._all_fold(game)
        elif len(playing) == 1:
            self._early_win(game, playing[0])
        else:
            self._later_rounds(game)
            self._showdown(game)
        self._keep(game)
        return True

    def _eliminate(self, game: _Game, seat: int, name: str) -> None:
        self.say("out", name, _money(self.stacks[seat]))
        game.put[seat] += self.stacks[seat]
        self.stacks[seat] = 0.0
        self.lost[seat] = game.out[seat] = True

    def _buy_in(self, game: _Game) -> None:
        for seat in range(rule.PLAYERS):
            if not game.alive[seat]:
                game.holes[seat] = []
            elif self.stacks[seat] < rule.BUY_IN:
                self._eliminate(game, seat, self.letters[seat])
                game.alive[seat] = False
                game.holes[seat] = []
            else:
                self.stacks[seat] -= rule.BUY_IN
                game.put[seat] += rule.BUY_IN
                cards = card_texts(game.holes[seat])
                self.say("dealt", *((self.names[seat], cards) if self.v1 else (cards, self.names[seat])))

    def _show(self, game: _Game, street: int, word: str) -> None:
        if self.v1 or street == 1:
            line = self.grammar.write("visible", street, card_texts(game.board[: street + 2]))
            self.lines.append(line.replace("(Flop)", f"({word})"))

    def _chance(self, game: _Game, seat: int, street: int, others: int) -> float:
        """The equity that the engine prints, from samples of the unseen cards, in percent."""
        seen = set(game.holes[seat]) | set(game.board[: street + 2])
        unseen = [card for card in range(52) if card not in seen]
        won = 0.0
        for _ in range(_SAMPLES):
            order = drawn(self.equity, 2 * others + 5, len(unseen))
            cards = [unseen[k] for k in order]
            board = game.board[: street + 2] + cards[2 * others : 2 * others + 3 - street]
            own = _strength(game.holes[seat] + board)
            best = max((_strength(cards[2 * k : 2 * k + 2] + board) for k in range(others)), default=-1)
            won += 1.0 if own > best else 0.5 if own == best else 0.0
        return 100.0 * won / _SAMPLES

    def _bet(self, game: _Game, seat: int, street: int) -> tuple[float, bool, str]:
        """(the bet, whether the player folds instead, what the strategy prints)."""
        before = game.bets[seat][-1] if game.bets[seat] else 0.0
        low, high = rule.least_bet(street, before), rule.most_bet(street, before)
        cents = (round(low * 100), round(high * 100))
        board = game.board[: street + 2]
        pot = round(game.pot * 100)
        partner = [k for k in game.playing() if k != seat and self.players[k] == self.bots[seat].partner]
        view = View(
            game.holes[seat],
            board,
            street,
            pot,
            0,
            cents[0],
            *cents,
            0,
            10_000,
            street == 1,
            partner=game.holes[partner[0]] if partner else (),
        )
        answer = self.bots[seat].act(view)
        wanted = answer.raise_to / 100 + self.noise.random() / 100 if answer.action == RAISE else low
        bet = min(max(low, min(wanted, high)), self.stacks[seat])
        said = answer.text if answer.action == GARBLED and answer.text.isprintable() else ""
        return bet, street == 1 and answer.action == FOLD, said

    def _pay_in(self, game: _Game, seat: int, street: int, bet: float) -> None:
        self.stacks[seat] -= bet
        game.put[seat] += bet
        game.bets[seat].append(bet)
        game.actions.append(Acted(street, seat, PLAY, CHOICE, round(bet * 100)))

    def _first_round(self, game: _Game) -> None:
        self.section("flop_betting")
        self._show(game, 1, "Flop")
        for seat in range(rule.PLAYERS):
            if game.alive[seat] and self.stacks[seat] < rule.LEAST_STACK:
                self._eliminate(game, seat, self.names[seat])
        others = len(game.playing()) - 1
        for seat in game.playing():
            chance, name = _money(self._chance(game, seat, 1, others)), self.names[seat]
            bet, folds, said = self._bet(game, seat, 1)
            if folds:
                game.folded[seat] = True
                game.actions.append(Acted(1, seat, FOLD, CHOICE, -1))
            else:
                self._pay_in(game, seat, 1, bet)
            if said and self.v1:
                self.say("said", chance, name, said)
                self.say("closing_fold") if folds else self.say("closing_bet", _money(bet))
            elif folds:
                self.say("fold", chance, name)
            else:
                self.say("bet", chance, name, _money(bet))

    def _later_rounds(self, game: _Game) -> None:
        for street, event, word in _LATER_ROUNDS:
            self.section(event)
            self._show(game, street, word)
            for seat in game.playing():
                chance = self._chance(game, seat, street, len(game.playing()) - 1)
                bet, _, _ = self._bet(game, seat, street)
                self._pay_in(game, seat, street, bet)
                self.say("later_bet", _money(chance), self.names[seat], _money(bet), street)

    def _pay(self, game: _Game, seat: int, chips: float, wins: float = 0.0) -> None:
        self.stacks[seat] += chips
        game.paid[seat] += chips
        self.wins[seat] += wins

    def _stacks(self) -> None:
        for seat in range(rule.PLAYERS):
            self.say("stack", self.names[seat], _money(self.stacks[seat]))

    def _all_fold(self, game: _Game) -> None:
        if self.v1:
            self.section("turn_betting")
            self._show(game, 2, "Turn")
            self.say("nobody", 2)
            self._stacks()
            return
        self.say("all_folded")
        asked = [seat for seat in range(rule.PLAYERS) if game.folded[seat]]
        for seat in asked:
            self._pay(game, seat, game.pot / len(asked), 1 / len(asked))
            self.say("receives", self.names[seat], _money(game.paid[seat]))
        self.lines += ["", ""]

    def _early_win(self, game: _Game, seat: int) -> None:
        self._pay(game, seat, min(game.pot, rule.win_cap(game.put[seat])) if self.v1 else game.pot, 1)
        self.lines += ["", "*** EARLY WINNER (Fold Equity) ***"]
        self.say("early_win", self.names[seat], _money(game.pot), _money(game.paid[seat]))
        if self.v1:
            self._stacks()
        else:
            self.lines += ["", ""]

    def _showdown(self, game: _Game) -> None:
        pot = game.pot
        contenders = [seat for seat in range(rule.PLAYERS) if game.alive[seat] and not game.folded[seat]]
        strengths = {seat: _strength(game.holes[seat] + game.board) for seat in contenders}
        best = max(strengths.values())
        winners = [seat for seat in contenders if strengths[seat] == best]
        caps = {seat: rule.win_cap(rule.BUY_IN + sum(game.bets[seat])) for seat in winners}
        for seat in winners:
            self._pay(game, seat, rule.prize(pot, len(winners), caps[seat]), 1 / len(winners))
        left, sharers = pot - sum(game.paid), game.playing()
        left = left if left > 1e-9 else 0.0
        self.section("showdown")
        if self.v1:
            names = [self.names[seat] for seat in winners]
            score = int(np.searchsorted(-ranking(), -best)) + 1
            self.say("winner" if len(winners) == 1 else f"draw_{len(winners)}", *names, score)
            self.say("total", _money(pot), _money(sum(game.paid)))
            if left:
                self.say("redistributed", _money(left), _money(left / len(sharers)), len(sharers))
        else:
            if len(winners) > 1:
                self.say("win_count", len(winners))
            for seat in winners:
                self.say("prize", self.names[seat], _money(game.paid[seat]), _money(caps[seat]), _money(pot))
            self._stacks()
            self.lines.append("")
            if left:
                self.say("left", _money(left), len(sharers))
            self.lines.append("")
        for seat in sharers:
            self._pay(game, seat, left / len(sharers))
        if self.v1:
            self.lines += ["", "Game End Stacks:"]
            self._stacks()

    def _keep(self, game: _Game) -> None:
        """Keep the truth about a game."""
        self.hands.append(
            PlayedHand(
                number=game.number,
                dealer=-1,
                holes=[tuple(hole) for hole in game.holes],
                before=[round(100 * chips) for chips in game.starts],
                board=game.board,
                actions=game.actions,
                put=[round(100 * chips) for chips in game.put],
                deltas=[round(100 * (won - put)) for won, put in zip(game.paid, game.put, strict=True)],
            )
        )

    def _standings(self) -> None:
        self.lines += ["", "--- Match Over ---", "", "Final Standings:"]
        for seat in sorted(range(rule.PLAYERS), key=lambda seat: -self.stacks[seat]):
            self.say("stack", self.names[seat], _money(self.stacks[seat]))
        self.lines += ["", "Total Fractional Wins per Player:"]
        for seat, wins in enumerate(self.wins):
            self.say("wins", self.names[seat], str(wins) if wins else "0")
        self.lines += ["", _NOTE, ""]


def _strength(cards: list[int]) -> int:
    return int(strength_of(np.array(cards, np.int64), len(cards)))


def _deals(rng: Random, games: int) -> list[list[int]]:
    return [drawn(rng, 2 * rule.PLAYERS + 5) for _ in range(games)]


def tables(order: Order) -> list[Table]:
    """Play an order, at most 50 games a match: one match in v1, five in v2; ValueError for what cannot be played."""
    if len(order.players) != rule.PLAYERS:
        raise ValueError(f"koper is a game of {rule.PLAYERS} players, not {len(order.players)}")
    if order.profile not in order.game.profiles:
        raise ValueError(f"koper has no log of the engine profile {order.profile.name!r}; there are v1, v2")
    order = replace(order, hands=min(order.hands, rule.GAMES))
    deals = _deals(order.random("deck"), order.hands)
    count = 1 if order.profile.name == "v1" else MATCHES
    played = [Table(order, match, deals) for match in range(count)]
    for table in played:
        table.play()
    return played


def play(order: Order) -> Played:
    """Play a match (v1) or a tournament (v2); the hands of a tournament follow each other, numbers start over."""
    played = tables(order)
    head = [] if played[0].v1 else ["TOURNAMENT LOG", "=" * 20, ""]
    lines = head + [line for table in played for line in table.lines]
    text = "\n".join(lines if not lines[-1] else [*lines, ""])
    return Played(text, tuple(played[0].names), tuple(hand for table in played for hand in table.hands))


def console(order: Order) -> str:
    """The console output of a tournament: one table per match; the same order plays the same tournament."""
    rule_line = "=" * 65
    lines = ["", rule_line, f"TOURNAMENT START: {MATCHES} MATCHES FORMAT", rule_line, ""]
    for table in tables(order):
        lines += [f"--- MATCH {table.match + 1} SUMMARY ---", "", "Strategy  Wins  Final Stack  Net Profit"]
        for seat in sorted(range(rule.PLAYERS), key=lambda seat: -table.stacks[seat]):
            stack = table.stacks[seat]
            profit = stack - table.order.game.stack
            lines.append(f"{table.names[seat]}  {table.wins[seat]:.6f}  {stack:.2f}  {profit:.2f}")
        lines += ["-" * 65, ""]
    return "\n".join(lines)
