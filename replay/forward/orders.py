"""What the forward players of all families take and give."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Final, NamedTuple

from ...parsers.grammar import Grammar
from ..bots import Bot
from ..games import Game, Profile
from ..records import BID, CALL, CHECK, DISCARD, FOLD, RAISE

ILLEGAL: Final = {
    FOLD: "illegal_fold",
    CALL: "illegal_call",
    CHECK: "illegal_check",
    RAISE: "illegal_raise",
    BID: "illegal_bid",
    DISCARD: "illegal_discard",
}
"""The events of MIT engines' fault lines, by the action that was illegal."""


@dataclass(frozen=True)
class Player:
    """A name as the log prints it, and who plays under it."""

    name: str
    bot: Bot


@dataclass(frozen=True)
class Order:
    """A match to be played.

    players  by seat
    seed     fixes the cards; hand k is dealt the same cards whatever the bots do
    profile  the engine revision: what it pays, allows and prints
    course   the words before `Pokerbots` in an MIT header; other families have no use for it
    """

    game: Game
    grammar: Grammar
    players: tuple[Player, ...]
    hands: int
    seed: int
    profile: Profile
    course: str

    def random(self, purpose: str) -> Random:
        """A generator of its own for one purpose."""
        return Random(f"{self.seed}/{purpose}")


class Acted(NamedTuple):
    """One action: vocabulary of `records`; raise_to is the total of the street, -1 where none is named."""

    street: int
    seat: int
    action: int
    origin: int
    raise_to: int


@dataclass
class PlayedHand:
    """What happened in a hand. Lists by seat, cards and ranks as codes, chips as the log has them.

    dealer    seat
    holes     hole cards as dealt
    board     all that was dealt
    actions   posts left out
    put       contributions
    deltas    awards
    before    bankrolls
    faults    seat and event name (`events.CODES`) of each fault line
    ranks     bounties, empty in games without
    hits      whose bounty was in play
    finals    hole cards at the end, empty in games where they never change
    """

    number: int
    dealer: int
    holes: list[tuple[int, ...]]
    before: list[int]
    board: list[int] = field(default_factory=list)
    actions: list[Acted] = field(default_factory=list)
    put: list[int] = field(default_factory=list)
    deltas: list[int] = field(default_factory=list)
    faults: list[tuple[int, str]] = field(default_factory=list)
    ranks: list[int] = field(default_factory=list)
    hits: list[bool] = field(default_factory=list)
    finals: list[tuple[int, ...]] = field(default_factory=list)


@dataclass(frozen=True)
class Played:
    """A match that was played: the whole log as the engine would write it, and the truth about its hands."""

    text: str
    names: tuple[str, ...]
    hands: tuple[PlayedHand, ...]


Forward = Callable[[Order], Played]


def drawn(rng: Random, count: int, size: int = 52) -> list[int]:
    """`count` different numbers below `size`: the top of a shuffled deck."""
    deck = list(range(size))
    for k in range(count):
        other = k + int(rng.random() * (size - k))
        deck[k], deck[other] = deck[other], deck[k]
    return deck[:count]
