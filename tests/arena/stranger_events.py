"""Tournaments of strangers: players of `stranger_bots` in many games, honest or with a plan of `stranger_plans`."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple
from unittest.mock import patch

from railbird.replay.acpc.dealer import Dealer
from railbird.replay.simulate import Player, play_bots
from railbird.variants import registry  # noqa: F401 - makes the games known
from railbird.variants.mit_engine import HeadsUp

from .pokerkit_tables import Tables
from .stranger_bots import KINDS, Stranger, introduce
from .stranger_plans import BEHIND, SEED, Pact, Partner

HONEST: Final = "honest"
POKERKIT: Final = "pokerkit"
"""What stands before the number of seats where PokerKit plays no-limit hold'em."""


class Size(NamedTuple):
    """How large a tournament is: seats at a table, players, hands of a table in all its matches, matches of a table."""

    seats: int
    players: int
    hands: int
    matches: int


_TWO, _THREE = Size(2, 5, 3000, 3), Size(3, 5, 1000, 3)
GAMES: Final = {
    "holdem-mit": _TWO,
    "bounty": _TWO,
    "river-of-blood": _TWO,
    "auction": _TWO,
    "toss": _TWO,
    "swap": _TWO,
    "permutation": _TWO,
    "acpc/holdem.limit.2p.reverse_blinds": _TWO,
    "acpc/holdem.nolimit.2p.reverse_blinds": _TWO,
    "acpc/leduc.limit.2p": _TWO,
    "acpc/holdem.limit.3p": _THREE,
    "acpc/holdem.nolimit.3p": _THREE,
    "acpc/kuhn.limit.3p": _THREE,
    "acpc/holdem.nolimit.6p": Size(6, 8, 100, 2),
    f"{POKERKIT}/2": Size(2, 5, 900, 3),
    f"{POKERKIT}/3": Size(3, 5, 450, 3),
    f"{POKERKIT}/6": Size(6, 7, 240, 2),
}
"""By game: 3,000 hands a pair at tables of two and three, where the engine is railbird's."""

_TRIAL: Final = 300
"""Hands that tell which of two partners is the weaker."""


@dataclass(frozen=True)
class Event:
    """What is played.

    plan   HONEST or one of `stranger_plans.PLANS`, followed at this share of the decisions by the last two players;
           where the giver dumps while the other is behind, the other is the weaker one
    twins  True: the first two names are one program
    part   of the hands of `GAMES`, to play less
    """

    game: str
    plan: str
    seed: int
    share: float = 0.5
    twins: bool = False
    part: float = 1.0

    @property
    def names(self) -> tuple[str, ...]:
        """The players; the giver, or the bot that reads the seed, is the last but one."""
        return tuple(f"bot{k}" for k in range(GAMES[self.game].players))


@contextmanager
def introduced() -> Iterator[None]:
    """Meanwhile every stranger that sits down learns its seat and its match."""
    opened = HeadsUp.__init__, Dealer.__init__

    def meeting(begin: Any) -> Any:
        def wrapped(self: Any, order: Any, *rest: Any) -> None:
            begin(self, order, *rest)
            for seat, player in enumerate(order.players):
                introduce(player.bot, seat, self)

        return wrapped

    with (
        patch.object(HeadsUp, "__init__", meeting(opened[0])),
        patch.object(Dealer, "__init__", meeting(opened[1])),
    ):
        yield


def programs(event: Event) -> list[partial[Stranger]]:
    """The honest programs of an event, by player; each takes the generator that it draws from in a match."""
    drawn = Random(f"{event.seed}/{event.game}/{event.plan}")
    found = []
    for _ in event.names:
        kind, number = list(KINDS)[int(drawn.random() * len(KINDS))], drawn.random()
        found.append(partial(_built, kind, number))
    if event.twins:
        found[1] = found[0]
    if event.plan == BEHIND and _is_weaker(event, found):
        found[-2:] = found[:-3:-1]
    return found


def _is_weaker(event: Event, made: Sequence[partial[Stranger]]) -> bool:
    """Whether the last player but one wins less than the last; such a plan helps the weaker of two."""
    seats = [*range(GAMES[event.game].seats - 2), len(made) - 2, len(made) - 1]
    bots = [made[who](Random(f"{event.seed}/trial {seat}")) for seat, who in enumerate(seats)]
    players = [Player(event.names[who], bot) for who, bot in zip(seats, bots, strict=True)]
    with introduced():
        play_bots(event.game, players, _TRIAL, event.seed)
    banks = bots[0].match.banks
    return bool(banks[-2] < banks[-1])


def _built(kind: str, number: float, rng: Random) -> Stranger:
    return KINDS[kind](rng, Random(f"{number}"))


def matches(event: Event) -> Iterator[tuple[str, str, list[Pact]]]:
    """The name of each log's file, its text, and the pacts of who follows a plan in it."""
    size, made = GAMES[event.game], programs(event)
    order = list(range(size.players))
    Random(f"{event.seed}/seats").shuffle(order)
    number = 0
    for table in combinations(order, size.seats):
        for k in range(size.matches):
            turn = k % size.seats
            seats = [*table[turn:], *table[:turn]]
            seed = event.seed * 10_007 + number
            players, pacts = _seated(event, seats, made, seed)
            hands = max(int(size.hands * event.part) // size.matches, 1)
            if event.game.startswith(POKERKIT):
                yield f"{number:03d}.phhs", Tables(players, seed).play(hands), pacts
            else:
                with introduced():
                    yield f"{number:03d}.txt", play_bots(event.game, players, hands, seed).text, pacts
            number += 1


def _seated(
    event: Event, seats: Sequence[int], made: Sequence[partial[Stranger]], seed: int
) -> tuple[list[Player], list[Pact]]:
    """The players of a match by seat, those who follow the plan in it among them."""
    giver, receiver = len(made) - 2, len(made) - 1
    bots = [made[who](Random(f"{seed}/player {seat}")) for seat, who in enumerate(seats)]
    pact = Pact(event.plan, event.share)
    planned = [giver] if event.plan == SEED else [giver, receiver]
    if event.plan == HONEST or not set(planned) <= set(seats):
        return [Player(event.names[who], bot) for who, bot in zip(seats, bots, strict=True)], []
    for who in planned:
        seat = seats.index(who)
        other = -1 if event.plan == SEED else seats.index(giver + receiver - who)
        bots[seat] = Partner(Random(f"{seed}/plan {seat}"), bots[seat], pact, who == giver, other)
    return [Player(event.names[who], bot) for who, bot in zip(seats, bots, strict=True)], [pact]


def write_event(event: Event, folder: Path) -> int:
    """Write the logs of an event into a folder; returns how many decisions a plan changed."""
    folder.mkdir(parents=True, exist_ok=True)
    followed = 0
    for name, text, pacts in matches(event):
        (folder / name).write_text(text, newline="")
        followed += sum(pact.followed for pact in pacts)
    return followed
