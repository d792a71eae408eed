"""What a bot of MIT's Python skeleton sees, written from the public protocol: its modules, and an engine over a socket.

The engine speaks in clauses: T clock, P seat, H hand, G a round begins, F C K R the actions, B board, O the other hand,
D the result, Q the end. A bot answers each line with one action.
"""

from __future__ import annotations

import socket
from collections import namedtuple
from random import Random
from threading import Thread
from types import ModuleType
from typing import Any

import numpy as np

from railbird.replay.evaluator import strength_of

STACK, BIG, SMALL = 400, 2, 1
RANKS, SUITS = "23456789TJQKA", "cdhs"

Fold, Call, Check = (namedtuple(name, []) for name in ("FoldAction", "CallAction", "CheckAction"))
Raise = namedtuple("Raise", ["amount"])
Terminal = namedtuple("Terminal", ["deltas", "previous_state"])
Game = namedtuple("Game", ["bankroll", "game_clock", "round_num"])


class Round(namedtuple("RoundState", "button street pips stacks hands deck previous_state")):
    """A moment of a hand."""

    def legal_actions(self) -> set[Any]:
        """The kinds of action that are legal."""
        me = self.button % 2
        cost = self.pips[1 - me] - self.pips[me]
        if not cost:
            return {Check} if not self.stacks[0] or not self.stacks[1] else {Check, Raise}
        short = cost == self.stacks[me] or not self.stacks[1 - me]
        return {Fold, Call} if short else {Fold, Call, Raise}

    def raise_bounds(self) -> tuple[int, int]:
        """The smallest and the largest raise-to."""
        me = self.button % 2
        cost = self.pips[1 - me] - self.pips[me]
        most = min(self.stacks[me], self.stacks[1 - me] + cost)
        return self.pips[me] + min(most, cost + max(cost, BIG)), self.pips[me] + most

    def next_street(self) -> Any:
        """The next street, or the end of the hand."""
        if self.street == 5:
            return Terminal(None, self)
        return Round(
            1, 3 if not self.street else self.street + 1, [0, 0], self.stacks, self.hands, self.deck, self
        )

    def proceed(self, action: Any) -> Any:
        """The state after an action."""
        me = self.button % 2
        if isinstance(action, Fold):
            lost = STACK - self.stacks[me]
            return Terminal([-lost, lost] if me == 0 else [lost, -lost], self)
        if isinstance(action, Call):
            if not self.button:
                return Round(1, 0, [BIG, BIG], [STACK - BIG] * 2, self.hands, self.deck, self)
            pips, stacks = list(self.pips), list(self.stacks)
            added = pips[1 - me] - pips[me]
            pips[me], stacks[me] = pips[me] + added, stacks[me] - added
            return Round(
                self.button + 1, self.street, pips, stacks, self.hands, self.deck, self
            ).next_street()
        if isinstance(action, Check):
            if (not self.street and self.button > 0) or self.button > 1:
                return self.next_street()
            return Round(self.button + 1, self.street, self.pips, self.stacks, self.hands, self.deck, self)
        pips, stacks = list(self.pips), list(self.stacks)
        added = action.amount - pips[me]
        pips[me], stacks[me] = pips[me] + added, stacks[me] - added
        return Round(self.button + 1, self.street, pips, stacks, self.hands, self.deck, self)


def first_state(hands: list[list[str]], deck: list[str]) -> Round:
    """A hand before the first decision."""
    return Round(0, 0, [SMALL, BIG], [STACK - SMALL, STACK - BIG], hands, deck, None)


def answered(text: str) -> Any:
    """The action of a clause."""
    return Raise(int(text[1:])) if text[0] == "R" else {"F": Fold(), "C": Call(), "K": Check()}[text[0]]


def said(action: Any) -> str:
    """The clause of an action."""
    return (
        f"R{action.amount}" if isinstance(action, Raise) else {Fold: "F", Call: "C", Check: "K"}[type(action)]
    )


def run_bot(bot: Any, port: int) -> None:
    """A bot's side of the protocol."""
    with socket.create_connection(("127.0.0.1", port)) as connection, connection.makefile("rw") as file:
        active, state, game = 0, first_state([[], []], []), Game(0, 30.0, 1)
        for line in file:
            over = False
            for clause in line.split():
                kind, rest = clause[0], clause[1:]
                if kind == "P":
                    active = int(rest)
                elif kind == "H":
                    hands: list[list[str]] = [[], []]
                    hands[active] = rest.split(",")
                    state = first_state(hands, [])
                elif kind == "G":
                    bot.handle_new_round(game, state, active)
                elif kind in "FCKR":
                    state = state.proceed(answered(clause))
                elif kind == "B":
                    state = state._replace(deck=rest.split(","))
                elif kind == "D":
                    bot.handle_round_over(game, state, active)
                    over = True
                elif kind == "Q":
                    return
            file.write(("K" if over else said(bot.get_action(game, state, active))) + "\n")
            file.flush()


def modules(player_bases: type) -> dict[str, ModuleType]:
    """The skeleton's modules by name."""
    contents: dict[str, dict[str, Any]] = {
        "skeleton": {},
        "skeleton.actions": {
            "FoldAction": Fold,
            "CallAction": Call,
            "CheckAction": Check,
            "RaiseAction": Raise,
        },
        "skeleton.bot": {"Bot": player_bases},
        "skeleton.runner": {"run_bot": run_bot, "parse_args": lambda: None},
        "skeleton.states": {"BIG_BLIND": BIG, "STARTING_STACK": STACK, "RoundState": Round},
    }
    found = {}
    for name, content in contents.items():
        found[name] = ModuleType(name)
        vars(found[name]).update(content)
    return found


def serve(rounds: int, seed: int, bot: Any) -> list[int]:
    """Play rounds with a bot over a socket against an opponent that acts at random; returns the bot's results.

    AssertionError for an illegal answer.
    """
    rng = Random(seed)
    results: list[int] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        client = Thread(target=run_bot, args=(bot, server.getsockname()[1]), daemon=True)
        client.start()
        server.settimeout(30)
        connection, _ = server.accept()
        connection.settimeout(30)
        with connection, connection.makefile("rw") as file:
            for number in range(rounds):
                results.append(_round(file, rng, number % 2))
            file.write("Q\n")
            file.flush()
            client.join(30)
    assert not client.is_alive()
    return results


def _round(file: Any, rng: Random, active: int) -> int:
    cards = rng.sample([rank + suit for rank in RANKS for suit in SUITS], 9)
    hands, deck = [cards[:2], cards[2:4]], cards[4:]
    state: Any = first_state(hands, deck)
    message = ["T30.000", f"P{active}", "H" + ",".join(hands[active]), "G"]
    while isinstance(state, Round):
        me, legal = state.button % 2, state.legal_actions()
        if me == active:
            file.write(" ".join(message) + "\n")
            file.flush()
            action = answered(file.readline().strip())
            message = ["T30.000"]
            assert type(action) in legal, (action, legal)
            if isinstance(action, Raise):
                least, most = state.raise_bounds()
                assert least <= action.amount <= most
        else:
            kind = rng.choice(sorted(legal, key=str))
            least, most = state.raise_bounds()
            action = Raise(rng.choice([least, most, (least + most) // 2])) if kind is Raise else kind()
            if kind is Fold and rng.random() < 0.7:
                action = Call()
        message.append(said(action))
        street = state.street
        state = state.proceed(action)
        if isinstance(state, Round) and state.street != street:
            message.append("B" + ",".join(deck[: state.street]))
    deltas = state.deltas
    if deltas is None:
        codes = [[4 * RANKS.index(c[0]) + SUITS.index(c[1]) for c in [*hand, *deck]] for hand in hands]
        made = [strength_of(np.array(code, np.int8), 7) for code in codes]
        won = STACK - state.previous_state.stacks[1]
        sign = (made[0] > made[1]) - (made[0] < made[1])
        deltas = [sign * won, -sign * won]
        message.append("O" + ",".join(hands[1 - active]))
    file.write(" ".join([*message, f"D{deltas[active]}"]) + "\n")
    file.flush()
    assert file.readline().strip() == "K"
    return int(deltas[active])
