"""Koper by the words of its rules: logs read line by line, games paid slowly. Shares nothing with railbird."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from .holdem import best_five

SEATS = "ABCDE"
CARDS = re.compile(r"'(..)'")
NUMBER = r"(-?\d+\.\d\d)"


@dataclass
class Seat:
    """A player of a game: None is what the log does not say."""

    hole: list[str] = field(default_factory=list)
    stub: float | None = None
    out_at: int | None = None
    folded: bool = False
    bets: list[float] = field(default_factory=list)
    probs: list[float] = field(default_factory=list)
    printed: float | None = None

    @property
    def plays(self) -> bool:
        """True for who came to the showdown, had there been one."""
        return bool(self.hole) and self.out_at is None and not self.folded

    @property
    def contribution(self) -> float:
        """Buy-in, bets, and the rest that an eliminated player loses."""
        return (100 if self.hole else 0) + sum(self.bets) + (self.stub or 0)


@dataclass
class Game:
    """A game as printed."""

    number: int
    seats: dict[int, Seat] = field(default_factory=dict)
    board: list[str] = field(default_factory=list)
    aborted: bool = False

    @property
    def pot(self) -> float:
        """All that was put in."""
        return sum(seat.contribution for seat in self.seats.values())


def read(text: str) -> list[list[Game]]:
    """The games of each match; of v2 logs only those whose players have names of their own."""
    return read_v1(text) if "--- Starting Game" in text else read_v2(text)


def read_v1(text: str) -> list[list[Game]]:
    """The one match of a v1 log."""
    games: list[Game] = []
    flop = False
    for line in text.split("--- Match Over ---")[0].splitlines():
        if said := re.fullmatch(r"--- Starting Game (\d+) ---", line):
            games.append(Game(int(said[1])))
            flop = False
        elif said := re.fullmatch(r"Player (.) is dealt: (.*)", line):
            games[-1].seats[SEATS.index(said[1])] = Seat(CARDS.findall(said[2]))
        elif said := re.fullmatch(rf"Player (.) eliminated! Stack \({NUMBER}\) < 100\.", line):
            _eliminate(games[-1], SEATS.index(said[1]), float(said[2]), flop)
        elif line.startswith("The community"):
            games[-1].board = CARDS.findall(line)
        elif line.startswith("Not enough"):
            games[-1].aborted = True
        elif "Round 1 starting" in line:
            flop = True
        elif said := re.fullmatch(rf"Player (.): \${NUMBER}", line):
            games[-1].seats.setdefault(SEATS.index(said[1]), Seat()).printed = float(said[2])
        elif said := re.fullmatch(rf"Equity: {NUMBER}%, Player (.) (?: chose to )?(fold\.|bet .*)", line):
            _act(games[-1].seats[SEATS.index(said[2])], said[1], said[3])
    return [games]


def read_v2(text: str) -> list[list[Game]]:
    """The matches of a v2 log; names are told apart by who is dealt cards in a match's first game."""
    matches: list[list[Game]] = []
    names: list[str] = []
    flop = False
    for line in text.splitlines():
        if said := re.fullmatch(r"--- Match (\d+) \| Game (\d+) ---", line):
            if said[2] == "1":
                matches.append([])
                names = []
            matches[-1].append(Game(int(said[2])))
            flop = False
        elif said := re.fullmatch(r"(\[.*\]) dealt to (.*)", line):
            if len(names) < len(SEATS):
                names.append(said[2])
            matches[-1][-1].seats[names.index(said[2])] = Seat(CARDS.findall(said[1]))
        elif said := re.fullmatch(rf"(.*) eliminated! Stack \({NUMBER}\) < 100\.", line):
            seat = names.index(said[1]) if flop else SEATS.index(said[1].removeprefix("Player "))
            _eliminate(matches[-1][-1], seat, float(said[2]), flop)
        elif line.startswith("The community"):
            matches[-1][-1].board = CARDS.findall(line)
        elif line.startswith("Not enough"):
            matches[-1][-1].aborted = True
        elif "Round 1 starting" in line:
            flop = True
        elif said := re.fullmatch(rf"(.*) final stack: \${NUMBER}", line):
            matches[-1][-1].seats.setdefault(names.index(said[1]), Seat()).printed = float(said[2])
        elif said := re.fullmatch(rf"Equity: {NUMBER}%, (\S+) (?:chose to )?(fold\.|bet .*)", line):
            _act(matches[-1][-1].seats[names.index(said[2])], said[1], said[3])
    return matches


def _eliminate(game: Game, seat: int, stub: float, flop: bool) -> None:
    player = game.seats.setdefault(seat, Seat())
    player.stub, player.out_at = stub, 1 if flop else 0


def _act(seat: Seat, prob: str, said: str) -> None:
    seat.probs.append(float(prob))
    if said == "fold.":
        seat.folded = True
    else:
        seat.bets.append(float(re.findall(r"\d+\.\d\d", said)[0]))


def written(game: Game) -> dict[int, float]:
    """What the written rules pay each seat.

    Where the document is silent: a pot that nobody is left for goes back, in equal parts, to those who were asked;
    if one player is left, also before the first bet, the pot is his.
    """
    playing = [seat for seat, player in game.seats.items() if player.plays]
    if len(playing) > 1 and not game.aborted:
        return _showdown(game, playing, playing)
    shared = playing or [seat for seat, player in game.seats.items() if player.folded]
    return {seat: game.pot / len(shared) for seat in shared}


def engine(game: Game, version: int) -> dict[int, float]:
    """What an engine pays each seat."""
    playing = [seat for seat, player in game.seats.items() if player.plays]
    contenders = [seat for seat, player in game.seats.items() if player.hole and not player.folded]
    if game.aborted or (not playing and version == 1):
        return {}
    if len(playing) > 1:
        return _showdown(game, contenders, playing)
    if version == 1:
        return {seat: min(game.pot, 4 * game.seats[seat].contribution) for seat in playing}
    return written(game)


def _showdown(game: Game, contenders: list[int], playing: list[int]) -> dict[int, float]:
    strengths = {seat: best_five([*game.seats[seat].hole, *game.board]) for seat in contenders}
    winners = [seat for seat in contenders if strengths[seat] == max(strengths.values())]
    paid: dict[int, float] = {}
    for seat in winners:
        cap = 4 * (100 + sum(game.seats[seat].bets))
        paid[seat] = min(game.pot / len(winners), cap)
    left = game.pot - sum(paid.values())
    for seat in playing:
        paid[seat] = paid.get(seat, 0) + left / len(playing)
    return paid
