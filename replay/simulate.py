"""Simulates matches: bots play, and the log is written as some engine revision would write it.

A game has its own simulator (`games.Game.forward`), from an `Order` to a `Played` match.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Final

from ..parsers.dialects import dialects
from ..parsers.grammar import Grammar
from .bots import Acted as Acted
from .bots import Bot, bot_of
from .colluders import Colluder, colluder
from .games import Game, Profile
from .records import BID, CALL, CHECK, DISCARD, FOLD, RAISE
from .replaying import game_named, known_games

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
    """A name as the log prints it, and its bot."""

    name: str
    bot: Bot


@dataclass(frozen=True)
class Order:
    """A match to be played.

    players  by seat
    seed     fixes the cards; hand k is dealt the same cards whatever the bots do
    profile  the engine revision: what it pays, allows and prints
    course   the words before `Pokerbots` in the header, "" for the engine's own; unused by other families
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


@dataclass
class PlayedHand:
    """The course of a hand. Lists by seat, cards and ranks as codes, chips in the log's unit.

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
    """A simulated match: the complete log as the engine would write it, and the true course of its hands.

    unpaid: lines of a last hand that the end of the match cut short
    """

    text: str
    names: tuple[str, ...]
    hands: tuple[PlayedHand, ...]
    unpaid: int = field(default=0, kw_only=True)


Forward = Callable[[Order], Played]

Maker = Callable[[str, Random], Bot | None]
"""The bot of a style that plays with a generator, None for a style that is not known."""


def _no_other(style: str, rng: Random) -> Bot | None:
    """Accepts no further styles."""
    return None


def drawn(rng: Random, count: int, size: int = 52) -> list[int]:
    """`count` different numbers below `size`: the top of a shuffled deck."""
    deck = list(range(size))
    for k in range(count):
        other = k + int(rng.random() * (size - k))
        deck[k], deck[other] = deck[other], deck[k]
    return deck[:count]


LATEST: Final = "latest"
WRITTEN: Final = "written"


def playable() -> tuple[str, ...]:
    """The names of the games that can be simulated, those of definitions included."""
    games = [game for game in known_games() if game.forward is not None]
    return tuple(
        name for game in games for name in (game.definitions.names() if game.definitions else (game.name,))
    )


def check_playable(game: str) -> None:
    """Raise ValueError for a game that cannot be simulated."""
    names = playable()
    if game not in names:
        raise ValueError(f"no game called {game!r} can be simulated; there are {', '.join(names)}")


def profile_named(game: Game, name: str) -> Profile:
    """An engine revision of a game: one of its own, `latest` or `written`; ValueError for any other.

    `written` pays and allows what the rules say, and prints what the latest revision prints.
    """
    latest = game.profiles[-1]
    if name == LATEST:
        return latest
    if name == WRITTEN:
        return Profile(WRITTEN, prints=latest.prints)
    for profile in game.profiles:
        if profile.name == name:
            return profile
    known = ", ".join((LATEST, WRITTEN, *(p.name for p in game.profiles)))
    raise ValueError(f"{game.name} has no engine profile {name!r}; there are {known}")


def _player(seat: int, name: str, style: str, seed: int, others: Maker) -> Player:
    rng = Random(f"{seed}/bot {seat}")
    bot = others(style, rng) or colluder(style, rng) or bot_of(style, rng)
    if not name or "\n" in name or "\r" in name:
        raise ValueError(f"not a player's name: {name!r}")
    return Player(name, bot)


def play(
    game: str,
    players: Sequence[tuple[str, str]],
    hands: int,
    seed: int,
    profile: str = LATEST,
    course: str = "",
    others: Maker = _no_other,
) -> Played:
    """Play a match: the log's text and the truth about every hand.

    players  (name, style) by seat; styles are `bots.STYLES`, with a plan as in `colluders`, and those of others
    profile  `profile_named`
    course   as in `Order`
    others   makes the bots of other styles, None for a style that is not its own

    The same arguments give the same text. Raises ValueError for what cannot be played.
    """
    seated = [_player(seat, name, style, seed, others) for seat, (name, style) in enumerate(players)]
    having = [rules.name for rules in known_games() if rules.partners]
    for bot in (player.bot for player in seated if isinstance(player.bot, Colluder)):
        if game in having and bot.partner not in dict(players):
            raise ValueError(f"in {game} a plan names a partner who plays: STYLE+PLAN@PERCENT:NAME")
        if game not in having and bot.partner:
            raise ValueError(f"a partner is named in {', '.join(having)} only, not in {game}")
    return play_bots(game, seated, hands, seed, profile, course)


def play_bots(
    game: str,
    players: Sequence[Player],
    hands: int,
    seed: int,
    profile: str = LATEST,
    course: str = "",
) -> Played:
    """Play a match of bots at hand; otherwise as `play`."""
    check_playable(game)
    if hands < 1:
        raise ValueError(f"a match has at least one hand, not {hands}")
    rules = game_named(game)
    forward: Forward | None = rules.forward
    assert forward is not None, game
    grammar = next(dialect.grammar for dialect in dialects() if dialect.game == game.split("/")[0])
    order = Order(rules, grammar, tuple(players), hands, seed, profile_named(rules, profile), course)
    return forward(order)


def simulate(
    game: str,
    players: Sequence[tuple[str, str]],
    hands: int,
    seed: int,
    profile: str = LATEST,
    course: str = "",
    others: Maker = _no_other,
) -> str:
    """The log of a match: header, a block a hand, final line without a line end; arguments as `play`."""
    return play(game, players, hands, seed, profile, course, others).text
