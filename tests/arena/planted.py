"""Bots with one planted leak each, and an honest player that follows a change of play.

A planted bot plays an honest style except where its leak says otherwise; `PLANTED` says what the leak is called.
"""

from collections.abc import Callable, Sequence
from random import Random
from typing import Final, NamedTuple

import numpy as np

from arena.honest import Honest, raised
from railbird.analytics.exploit.plays import Bid, Play
from railbird.analytics.exploit.pricing import TYPICAL
from railbird.replay.bots import Answer, Bot, View
from railbird.replay.records import BID, CALL, CHECK, FOLD, RAISE
from railbird.replay.simulate import Played, Player, play_bots
from railbird.variants import registry  # noqa: F401 - makes the games known

RIVER: Final = 3
SMALL: Final = 0.55
"""The largest bet that is small, as a share of the pot."""
HUNTS: Final = 0.2
CONSTANT_BID: Final = 3
_WORDS: Final = (FOLD, CHECK, CALL, RAISE)


def in_play(view: View) -> bool:
    """Whether the player's bounty rank is among its cards or on the board."""
    return any(card // 4 == view.rank for card in (*view.hole, *view.board))


_RUNS: Final = (frozenset((12, 0, 1, 2, 3)), *(frozenset(range(low, low + 5)) for low in range(9)))


def has_draw(view: View) -> bool:
    """Whether a card to come can make a flush or a straight of four cards, one of them the player's own."""
    if view.street not in (1, 2):
        return False
    suits = [sum(card % 4 == suit for card in (*view.hole, *view.board)) for suit in range(4)]
    board = {card // 4 for card in view.board}
    own = {card // 4 for card in view.hole} - board
    return any(suits[card % 4] == 4 for card in view.hole) or any(
        len(run & (own | board)) == 4 and run & own for run in _RUNS
    )


class Planted(Honest):
    """An honest player but for one leak."""

    def __init__(self, rng: Random, leak: str) -> None:
        """leak: one of `PLANTED`."""
        super().__init__(rng)
        self.leak = leak

    def act(self, view: View) -> Answer:
        """By the leak where it shows, else as the style says."""
        found: Answer | None = getattr(self, "_" + self.leak)(view)
        return super().act(view) if found is None else found

    def _never_bluffs_rivers(self, view: View) -> Answer | None:
        usual = super().act(view)
        if view.street < RIVER or not self.bluffs:
            return usual
        return Answer(FOLD) if view.to_call else Answer(CHECK)

    def _over_folds_to_3bets(self, view: View) -> Answer | None:
        if view.street or view.level < 3:
            return None
        return None if self.strength(view.hole, ()) >= 0.66 else Answer(FOLD)

    def _calls_any_draw(self, view: View) -> Answer | None:
        usual = super().act(view)
        return Answer(CALL) if usual.action == FOLD and has_draw(view) else usual

    def _folds_to_small_turn_bets(self, view: View) -> Answer | None:
        small = view.to_call <= SMALL * (view.pot - view.to_call)
        if view.street != 2 or not view.to_call or not small:
            return None
        return None if self.strength(view.hole, view.board) >= 0.9 else Answer(FOLD)

    def _limps_only_strong(self, view: View) -> Answer | None:
        if view.street or view.level > 1 or not view.to_call:
            return None
        if self.strength(view.hole, ()) >= 0.58 and self.happens(0.5):
            return Answer(CALL)
        usual = super().act(view)
        return Answer(FOLD) if usual.action == CALL else usual

    def _sizes_by_strength(self, view: View) -> Answer | None:
        usual = super().act(view)
        if usual.action != RAISE or not view.street:
            return usual
        return raised(view, 1.5 if self.strength(view.hole, view.board) >= 0.75 else 0.4)


class Hunter(Honest):
    """An honest player that asks less of a hand if its bounty rank is in play."""

    lift = 0.0

    def seen_as(self, share: float) -> float:
        """More where a bounty would be won."""
        return share + self.lift

    def act(self, view: View) -> Answer:
        """As an honest player with that strength."""
        self.lift = HUNTS if in_play(view) else 0.0
        return super().act(view)


class Bidder(Honest):
    """An honest player of auctions of a card: its bids grow with its hand, and a hand without the card beats fewer."""

    outbid = False

    def seen_as(self, share: float) -> float:
        """The best of an opponent's three pairs of cards beats more hands than one pair does."""
        return share**2 if self.outbid else share

    def act(self, view: View) -> Answer:
        """As an honest player with that strength."""
        self.outbid = view.street > 0 and len(view.hole) == 2
        return super().act(view)

    def bid(self, view: View) -> Answer:
        """From nothing to the pot."""
        wanted = round(view.pot * self.strength(view.hole, view.board))
        return Answer(BID, max(view.low, min(wanted, view.high)))


class ConstantBidder(Bidder):
    """It bids the same in every auction."""

    def bid(self, view: View) -> Answer:
        """The constant."""
        return Answer(BID, max(view.low, min(CONSTANT_BID, view.high)))


class Plant(NamedTuple):
    """A planted leak: what `exploit` calls it, where, and in which game.

    bot, other  the bot that has it, None for `Planted`, and its opponent
    """

    leak: str
    street: int | None
    game: str = "holdem-mit"
    bot: type[Honest] | None = None
    other: type[Honest] = Honest


PLANTED: Final = {
    "never_bluffs_rivers": Plant("bluffs-too-little", 3),
    "over_folds_to_3bets": Plant("folds-too-much", 0),
    "calls_any_draw": Plant("calls-too-much", None),
    "folds_to_small_turn_bets": Plant("folds-too-much", 2),
    "limps_only_strong": Plant("strength-in-action", 0),
    "sizes_by_strength": Plant("strength-in-size", None),
    "ignores_its_bounty": Plant("ignores-fact", None, "bounty", Honest, Hunter),
    "bids_by_a_constant": Plant("constant-price", 1, "auction", ConstantBidder, Bidder),
}


class Ruled(Honest):
    """A player that follows some changes of play, and goes on as another bot elsewhere."""

    def __init__(self, rng: Random, plays: Sequence[Play], base: Bot | None = None) -> None:
        """plays: none of which is for a decision that another is for; base: the bot, or an honest one."""
        super().__init__(rng)
        self.base: Bot = base or Honest(rng)
        self.parts = [part for play in plays for part in play.parts]
        self.is_dealer: bool | None = None
        self.changed: set[int] = set()
        """The numbers of hands in which a play was followed."""

    def acknowledge(self) -> Answer:
        """The hand is over."""
        self.is_dealer = None
        self.base.acknowledge()
        return super().acknowledge()

    def bid(self, view: View) -> Answer:
        """As the other bot."""
        return self.base.bid(view)

    def act(self, view: View) -> Answer:
        """As the other bot, and where a play is for the decision and replaces that, as the play."""
        if self.is_dealer is None:
            self.is_dealer = view.street == 0 and 0 < view.pip < view.big_blind
        usual = self.base.act(view)
        spot, faced = self._spot(view)
        strength = self.strength(view.hole, view.board)
        for part in self.parts:
            fits = part.street == view.street and part.spot == spot and part.floor <= strength
            fits &= strength < part.ceiling or part.ceiling >= 1
            fits &= not part.faced or faced in part.faced
            fits &= not part.fact or in_play(view)
            if fits and _WORDS.index(usual.action) in part.instead:
                self.changed.add(self._number)
                if part.size and view.high:
                    return raised(view, float(TYPICAL[part.size - 1]))
                if not part.size:
                    return Answer(_WORDS[part.does])
        return usual

    def _spot(self, view: View) -> tuple[str, int]:
        size = view.to_call / max(view.pot - view.to_call, 1)
        faced = 1 + sum(size > limit + 1e-9 for limit in (0.25, 0.5, 0.75, 1, 2)) if view.to_call else 0
        if not view.street:
            names = ("", "open" if view.to_call else "limp", "raise", "3bet")
            return names[view.level] if view.level < len(names) else "4bet", faced if view.level > 1 else 0
        if not view.to_call:
            return ("check" if self.is_dealer else "first"), 0
        return ("raise" if view.level > 1 else "bet"), faced


class OtherBids(Bidder):
    """A bidder that follows a change of bids; in its band the strength stands for the equity."""

    def __init__(self, rng: Random, play: Bid) -> None:
        """play: another bid, its own or against a constant."""
        super().__init__(rng)
        self.play = play

    def bid(self, view: View) -> Answer:
        """By the play."""
        play, strength = self.play, self.strength(view.hole, view.board)
        fits = play.floor <= strength and (strength < play.ceiling or play.ceiling >= 1)
        if play.level is not None:
            wanted = round(play.level * view.pot) if fits else 0
        else:
            usual = super().bid(view).raise_to
            wanted = (
                CONSTANT_BID + 1 if fits else max(usual, CONSTANT_BID - 1) if usual < CONSTANT_BID else usual
            )
        return Answer(BID, max(view.low, min(wanted, view.high)))


Maker = Callable[[Random], Bot]


def seated(name: str) -> tuple[str, Maker, Maker]:
    """The game of a planted leak, the bot that has it and its opponent."""
    plant = PLANTED[name]

    def planted(rng: Random) -> Bot:
        return Planted(rng, name) if plant.bot is None else plant.bot(rng)

    return plant.game, planted, lambda rng: plant.other(rng)


def matches(game: str, one: Maker, other: Maker, hands: int, seed: int, count: int = 4) -> list[str]:
    """The logs of some matches of "Planted" and "Honest", who change seats from match to match."""
    return [match_of(game, one, other, hands // count, seed, k).text for k in range(count)]


def match_of(game: str, one: Maker, other: Maker, hands: int, seed: int, number: int) -> Played:
    """A match of "Planted" and "Honest"; in those with an odd number "Honest" sits first."""
    seated = [
        Player("Planted", one(Random(f"{seed}/{number}/one"))),
        Player("Honest", other(Random(f"{seed}/{number}/other"))),
    ]
    return play_bots(game, seated[::-1] if number % 2 else seated, hands, seed * 1000 + number)


def _by_hand(maker: Maker) -> Maker:
    """A maker of the same bots, whose chances of each hand start anew."""

    def made(rng: Random) -> Bot:
        bot = maker(rng)
        if isinstance(bot, Honest):
            bot.hands_by = str(rng.random())
        return bot

    return made


class Only(Bot):
    """A bot that plays some hands, and gives up the others at once."""

    def __init__(self, bot: Bot, numbers: set[int]) -> None:
        """numbers: of the hands that are played, from 0."""
        super().__init__(bot.rng)
        self.bot, self.numbers, self.number = bot, numbers, 0

    def acknowledge(self) -> Answer:
        """The hand is over."""
        self.number += 1
        return self.bot.acknowledge()

    def bid(self, view: View) -> Answer:
        """As the bot."""
        return self.bot.bid(view) if self.number in self.numbers else Answer(BID, view.low)

    def act(self, view: View) -> Answer:
        """As the bot."""
        if self.number in self.numbers:
            return self.bot.act(view)
        return Answer(FOLD if view.to_call else CHECK)


def gains(
    game: str, usual: Sequence[Maker], changed: Sequence[Maker], hands: int, seed: int, unit: float
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """(hands,) what the second player wins more in each hand if both play as changed, in bb.

    Matches of 1,000 hands with seats that change, played twice with the same cards. Bots draw their chances of each
    hand anew, so that only hands differ in which a play is followed, and the others are not played again.
    """
    won: list[float] = []
    for k in range(-(-hands // 1000)):
        made: list[Bot] = []
        one, other = (_kept_in(made, _by_hand(maker)) for maker in changed)
        played = match_of(game, one, other, 1000, seed, k)
        ruled = [bot for bot in made if isinstance(bot, Ruled)]
        numbers = set[int]().union(*(bot.changed for bot in ruled)) if ruled else set(range(1000))
        one, other = (_only(numbers, _by_hand(maker)) for maker in usual)
        again = match_of(game, one, other, 1000, seed, k)
        seat = 0 if k % 2 else 1
        won += [
            (new.deltas[seat] - old.deltas[seat]) / unit if number in numbers else 0.0
            for number, (new, old) in enumerate(zip(played.hands, again.hands, strict=True))
        ]
    return np.array(won)


def _kept_in(made: list[Bot], maker: Maker) -> Maker:
    def keeping(rng: Random) -> Bot:
        made.append(maker(rng))
        return made[-1]

    return keeping


def _only(numbers: set[int], maker: Maker) -> Maker:
    return lambda rng: Only(maker(rng), numbers)


__all__ = [
    "PLANTED",
    "Honest",
    "Only",
    "OtherBids",
    "Planted",
    "Ruled",
    "gains",
    "match_of",
    "matches",
    "seated",
]
