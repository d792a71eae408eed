"""A clone of a player as a bot of MIT's engine: `player.py PORT`. It needs Python 3.11 and NumPy, nothing else.

Its folder also holds railbird_model.py, model.npz, and table.json: the stack and the blinds of the table that it
plays at.
docs/spar.md lists the messages of the engine.
"""

import argparse
import json
import socket
from collections.abc import Callable, Sequence
from importlib import import_module
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING or __package__:
    from . import railbird_model
else:
    # In its folder it stands alone.
    railbird_model = import_module("railbird_model")

MODEL = "model.npz"
TABLE = "table.json"
PLACES = ("SB", "BB")
"""The position of each place: the dealer's is 0."""
CLAUSES = {"fold": "F", "check": "K", "call": "C"}


class Hand:
    """A hand as one player learns it from the messages."""

    def __init__(self, me: int, stack: int, blinds: Sequence[int]) -> None:
        """me: the player's place; stack, blinds: chips."""
        self.me, self.big_blind = me, blinds[1]
        self.street, self.turn = 0, 0
        self.pips = [min(blind, stack) for blind in blinds]
        self.stacks = [stack - pip for pip in self.pips]
        self.pot = sum(self.pips)
        self.hole: list[str] = []
        self.board: list[str] = []
        self.facts: dict[str, str] = {}
        self.line: list[list[Any]] = []

    @property
    def to_call(self) -> int:
        """Chips that a call costs the player whose turn it is."""
        return self.pips[1 - self.turn] - self.pips[self.turn]

    def bounds(self) -> tuple[int, int] | None:
        """The smallest and largest total of a legal raise; None where none is legal."""
        own, other, cost = self.stacks[self.turn], self.stacks[1 - self.turn], self.to_call
        if own <= cost or other <= 0:
            return None
        most = min(own, other + cost)
        pip = self.pips[self.turn]
        return pip + min(most, cost + max(cost, self.big_blind)), pip + most

    def acts(self, clause: str) -> None:
        """The player whose turn it is folds, checks, calls or raises."""
        who, cost, letter = self.turn, self.to_call, clause[0]
        forced = cost <= 0 and self.bounds() is None
        word, total = {"F": "fold", "K": "check", "C": "call", "R": "raise"}[letter], None
        if letter in "CR":
            total = self.pips[who] + cost if letter == "C" else int(clause[1:])
            if letter == "R" and cost == 0 and self.pips[who] == 0:
                word = "bet"
            paid = total - self.pips[who]
            self.pips[who] = total
            self.stacks[who] -= paid
            self.pot += paid
        if not forced:
            self.line.append([self.street, PLACES[who], word, total])
        self.turn = 1 - who

    def deals(self, board: list[str]) -> None:
        """The next street begins with so many cards on the board."""
        self.board = board
        self.street += 1
        self.pips = [0, 0]
        self.turn = 1

    def state(self) -> dict[str, Any]:
        """What the player whose turn it is sees, as `predict` takes it."""
        bounds = self.bounds()
        return {
            "street": self.street,
            "position": PLACES[self.turn],
            "hole": self.hole,
            "board": self.board,
            "big_blind": self.big_blind,
            "players": 2,
            "pot_before": self.pot,
            "to_call": self.to_call,
            "pip_before": self.pips[self.turn],
            "stack_before": self.stacks[self.turn],
            "min_raise_to": bounds and bounds[0],
            "max_raise_to": bounds and bounds[1],
            "line": self.line,
            "facts": self.facts,
        }


class Player:
    """Answers the messages of an engine by what a model chooses."""

    def __init__(
        self, model: railbird_model.Model, table: dict[str, Any], random: Callable[[], float]
    ) -> None:
        """table: `stack`, and the two `blinds`; random: gives numbers from 0 to below 1."""
        self.model, self.random = model, random
        self.stack, self.blinds = int(table["stack"]), [int(blind) for blind in table["blinds"]]
        self.hand = Hand(0, self.stack, self.blinds)

    def answer(self, clauses: Sequence[str]) -> str:
        """The answer to a message; the news of a hand's end is answered by a check."""
        over = False
        for clause in clauses:
            letter, rest = clause[0], clause[1:]
            if letter == "P":
                self.hand = Hand(int(rest), self.stack, self.blinds)
            elif letter == "H":
                self.hand.hole = rest.split(",")
            elif letter == "G":
                self.hand.facts["bounty_rank"] = rest
            elif letter == "B":
                self.hand.deals(rest.split(","))
            elif letter in "FCKR":
                self.hand.acts(clause)
            elif letter == "D":
                over = True
        return "K" if over else self.choice()

    def choice(self) -> str:
        """What the player does at its turn."""
        if self.hand.to_call <= 0 and self.hand.bounds() is None:
            return "K"
        action, amount = self.model.choose(self.hand.state(), self.random)
        return CLAUSES.get(action) or f"R{amount}"


def play(player: Player, host: str, port: int) -> None:
    """Answer an engine until it ends the match or the connection."""
    with socket.create_connection((host, port)) as connection, connection.makefile("rw") as file:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for line in file:
            clauses = line.split()
            if "Q" in clauses:
                return
            if clauses:
                file.write(player.answer(clauses) + "\n")
                file.flush()


def main() -> None:
    """Play on the port that the engine gives."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--host", default="localhost", help="the engine's machine")
    parser.add_argument(
        "--seed", type=int, help="of the choices between actions (by default another each time)"
    )
    parser.add_argument("port", type=int, help="the engine's port")
    given = parser.parse_args()
    folder = Path(__file__).resolve().parent
    try:
        model = railbird_model.load(folder / MODEL)
        table = json.loads((folder / TABLE).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SystemExit(f"player.py: {error}") from None
    try:
        play(Player(model, table, Random(given.seed).random), given.host, given.port)
    except ConnectionError:
        # The engine is gone.
        return


if __name__ == "__main__":
    main()
