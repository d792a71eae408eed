"""An engine of MIT Pokerbots, written from the public protocol, that plays with a program in a folder.

It shares nothing with `variants/mit_engine` and `variants/mit_bots`: rules and clauses are those of `mit_skeleton`.
"""

from __future__ import annotations

import json
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from railbird.replay.evaluator import strength_of

from .mit_skeleton import RANKS, STACK, SUITS, Call, Fold, Raise, Round, answered, first_state, said


@dataclass
class Served:
    """What a program did.

    answers  every answer but those to the end of a hand
    results  of the rounds; slowest: seconds of the slowest answer; sent: letters of all clauses sent
    ended    the exit code of the program
    """

    answers: list[str] = field(default_factory=list)
    results: list[int] = field(default_factory=list)
    slowest: float = 0.0
    sent: set[str] = field(default_factory=set)
    ended: int | None = None


class Engine:
    """Plays rounds against an opponent that acts at random; an illegal answer is an AssertionError."""

    def __init__(self, file: Any, seed: int, bounties: bool) -> None:
        """file: the connection, to read and write text."""
        self.file, self.rng, self.bounties = file, Random(seed), bounties
        self.served = Served()
        self.ranks = ["A", "A"]

    def ask(self, message: list[str]) -> str:
        """The answer to a message."""
        self.served.sent |= {clause[0] for clause in message}
        begun = time.perf_counter()
        self.file.write(" ".join(["T30.000", *message]) + "\n")
        self.file.flush()
        answer: str = self.file.readline()
        self.served.slowest = max(self.served.slowest, time.perf_counter() - begun)
        assert answer.endswith("\n"), "no answer"
        message.clear()
        return answer.strip()

    def _other(self, state: Any) -> Any:
        kind = self.rng.choice(sorted(state.legal_actions(), key=str))
        least, most = state.raise_bounds()
        if kind is Raise:
            return Raise(self.rng.choice([least, least, most, (least + most) // 2]))
        return Call() if kind is Fold and self.rng.random() < 0.7 else kind()

    def round(self, number: int) -> None:
        """One round."""
        active = number % 2
        cards = self.rng.sample([rank + suit for rank in RANKS for suit in SUITS], 9)
        hands, deck = [cards[:2], cards[2:4]], cards[4:]
        if number % 25 == 0:
            self.ranks = [self.rng.choice(RANKS) for _ in range(2)]
        message = [f"P{active}", "H" + ",".join(hands[active])]
        message += [f"G{self.ranks[0]}"] if self.bounties else []
        state: Any = first_state(hands, deck)
        while isinstance(state, Round):
            if state.button % 2 == active:
                answer = self.ask(message)
                self.served.answers.append(answer)
                action, legal = answered(answer), state.legal_actions()
                assert type(action) in legal, (answer, state)
                if isinstance(action, Raise):
                    least, most = state.raise_bounds()
                    assert least <= action.amount <= most, (answer, state)
            else:
                action = self._other(state)
            message.append(said(action))
            street = state.street
            state = state.proceed(action)
            if isinstance(state, Round) and state.street != street:
                message.append("B" + ",".join(deck[: state.street]))
        last = state.previous_state
        deltas = state.deltas
        if deltas is None:
            made = [
                strength_of(np.array([_code(card) for card in [*hand, *deck]], np.int8), 7) for hand in hands
            ]
            sign = (made[0] > made[1]) - (made[0] < made[1])
            won = STACK - last.stacks[1]
            deltas = [sign * won, -sign * won]
            message.append("O" + ",".join(hands[1 - active]))
        message.append(f"D{deltas[active]}")
        if self.bounties:
            shown = deck[: last.street]
            hits = [
                any(card[0] == rank for card in [*hand, *shown])
                for hand, rank in zip((hands[active], hands[1 - active]), self.ranks, strict=True)
            ]
            message.append("Y" + "".join(str(int(hit)) for hit in hits))
        assert self.ask(message) == "K"
        self.served.results.append(int(deltas[active]))


def _code(card: str) -> int:
    return 4 * RANKS.index(card[0]) + SUITS.index(card[1])


@contextmanager
def engine(folder: Path, seed: int, bounties: bool) -> Iterator[Engine]:
    """An engine that a program of a folder is connected to; the program is ended, by itself if it can."""
    commands = json.loads((folder / "commands.json").read_text(encoding="utf-8"))
    assert commands["build"] == []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(30)
        program = subprocess.Popen([*commands["run"], str(server.getsockname()[1])], cwd=folder)
        try:
            connection, _ = server.accept()
            connection.settimeout(30)
            with connection, connection.makefile("rw") as file:
                made = Engine(file, seed, bounties)
                yield made
            made.served.ended = program.wait(10)
        finally:
            program.kill()
            program.wait()


def serve(folder: Path, rounds: int, seed: int, bounties: bool) -> Served:
    """Play a whole match, which ends with a Q."""
    with engine(folder, seed, bounties) as made:
        for number in range(rounds):
            made.round(number)
        made.file.write("Q\n")
        made.file.flush()
        made.served.sent.add("Q")
    return made.served


def cut(folder: Path, rounds: int, seed: int, within: bool) -> Served:
    """Close the connection after some rounds; within: while the program is asked."""
    with engine(folder, seed, False) as made:
        for number in range(rounds):
            made.round(number)
        if within:
            made.file.write("T30.000 P0 HAh,Kd\n")
            made.file.flush()
    return made.served
