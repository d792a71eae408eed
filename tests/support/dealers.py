"""Bounty Hold'em dealt by dealers whose faults are known."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Final
from unittest.mock import patch

from railbird.replay.simulate import drawn, play
from railbird.variants import bounty, mit_engine

PLAYERS: Final = ("Ann", "Bob", "Cid", "Dot", "Eve")
STYLES: Final = ("calling-station", "tight-aggressive", "loose-aggressive", "pot-odds", "random")
FAVOURED: Final = 0.05
"""How often the dealer of a seat or a player gives it the better hand."""
REPEATED: Final = 1000
"""Hands from one repeat of a deck to the next."""
_RANKS: Final = 13

Draw = Callable[[Random, int, int], list[int]]


def better(cards: list[int], holes: int = 2) -> bool:
    """Whether the first of two hands is better before the flop, roughly: a pair, then the high cards in turn."""
    one, two = (sorted((card // 4 for card in cards[k : k + holes]), reverse=True) for k in (0, holes))
    return (len({*one}) < holes, one) > (len({*two}) < holes, two)


class Dealer:
    """Draws cards with faults, some of FAULTS.

    first   whether the favoured player has the first of the two hands, None where it does not play
    holes   hole cards of a player
    """

    def __init__(self, faults: Collection[str], seed: int) -> None:
        self.faults, self.rng, self.hands = {*faults}, Random(f"{sorted(faults)} {seed}"), 0
        self.first: bool | None = None
        self.holes = 2
        self.kept: list[int] = []

    def draw(self, rng: Random, count: int, size: int = 52) -> list[int]:
        """The top of a deck."""
        self.hands += 1
        cards = drawn(rng, size, size)
        if "suit" in self.faults:
            for k in range(count):
                if cards[k] % 4 == 0 and self.rng.random() < 1 - 0.24 / 0.25:
                    other = self.rng.choice([j for j in range(count, size) if cards[j] % 4])
                    cards[k], cards[other] = cards[other], cards[k]
        if "aces" in self.faults:
            cards = [card for card in cards if card not in (50, 51)] + [50, 51]
        favoured = True if "seat" in self.faults else self.first if self.faults & PLAYER else None
        if favoured is not None and self.rng.random() < FAVOURED and better(cards, self.holes) != favoured:
            cards[: 2 * self.holes] = cards[self.holes : 2 * self.holes] + cards[: self.holes]
        if "repeat" in self.faults and self.hands % REPEATED == 0:
            self.kept = self.kept or cards
            cards = self.kept
        return cards[:count]

    def ranks(self, rng: Random) -> float:
        """A number from 0 to 1 that tells a secret rank."""
        if "rank" not in self.faults:
            return rng.random()
        place = int(self.rng.random() * (_RANKS + 1))
        return min(place, _RANKS - 1) / _RANKS + 1e-9


FAULTS: Final = ("aces", "seat", "player", "player of five", "suit", "repeat", "rank")
PLAYER: Final = {"player", "player of five"}
"""Ann is favoured: in "player" she is in every match."""


@contextmanager
def dealing(dealer: Dealer) -> Iterator[None]:
    """Matches that are played meanwhile are dealt by it."""
    opened = bounty.Bounty.__init__

    class Ranks:
        def __init__(self, rng: Random) -> None:
            self.rng = rng

        def random(self) -> float:
            return dealer.ranks(self.rng)

    def begin(self: bounty.Bounty, order: object) -> None:
        opened(self, order)  # type: ignore[arg-type]
        self.ranks_drawn = Ranks(self.ranks_drawn)  # type: ignore[assignment]

    with patch.object(mit_engine, "drawn", dealer.draw), patch.object(bounty.Bounty, "__init__", begin):
        yield


def write_event(
    folder: Path,
    faults: Collection[str],
    seed: int,
    hands: int,
    matches: int,
    game: str = "bounty",
    holes: int = 2,
) -> None:
    """Logs of an event of PLAYERS, of whom pairs drawn at random meet, or Ann and one of the others in turn."""
    dealer = Dealer(faults, seed)
    dealer.holes = holes
    rng = Random(seed)
    folder.mkdir(parents=True, exist_ok=True)
    names = [*zip(PLAYERS, STYLES, strict=True)]
    with dealing(dealer):
        for number in range(matches):
            pair = rng.sample(names, 2)
            if "player" in faults:
                pair = rng.sample((names[0], names[1 + number % (len(names) - 1)]), 2)
            dealer.first = pair[0] == names[0] if names[0] in pair else None
            played = play(game, pair, hands // matches, seed * 100_003 + number)
            (folder / f"{number}.txt").write_text(played.text, newline="")
