"""Bots with one planted leak each, and an honest player that follows a change of play.

A planted bot plays an honest style except where its leak says otherwise; `PLANTED` says what the leak is called.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from random import Random
from typing import Final, NamedTuple

import numpy as np

from railbird.analytics.exploit.plays import Bid, Play
from railbird.analytics.exploit.pricing import TYPICAL
from railbird.analytics.model.decisions import preflop_equities
from railbird.analytics.model.railbird_model import percentiles, suits_of
from railbird.replay.bots import TIGHT_AGGRESSIVE, Answer, Bot, Styled, View
from railbird.replay.records import BID, CALL, CHECK, FOLD, RAISE
from railbird.replay.simulate import Played, Player, play_bots
from railbird.variants import registry  # noqa: F401 - makes the games known

RIVER: Final = 3
VALUE, STAYS, BLUFFS = 0.68, 0.48, 0.18
SMALL: Final = 0.4
HUNTS: Final = 0.15
CONSTANT_BID: Final = 3
HONEST: Final = replace(TIGHT_AGGRESSIVE, size=0.75)
"""Only its size is used."""
_FULL: Final = np.full(4, 8191, np.int32)
_WORDS: Final = (FOLD, CHECK, CALL, RAISE)


def raised(view: View, share: float) -> Answer:
    """A bet or raise of a share of the pot, as far as the rules allow it."""
    wanted = view.pip + view.to_call + round(share * (view.pot + view.to_call))
    return Answer(RAISE, max(view.low, min(wanted, view.high)))


def stayed(view: View) -> Answer:
    """A check or a call."""
    return Answer(CALL if view.to_call else CHECK)


class Honest(Styled):
    """A bot without a gross leak: it asks more of a hand with every raise, and bluffs as often as the odds ask."""

    hands_by: str | None = None
    """Where set, its chances of each hand start from this text and the hand's number, whatever was drawn before."""
    _hand = 0

    def acknowledge(self) -> Answer:
        """The hand is over."""
        if self.hands_by is not None:
            self._hand += 1
            self.rng.seed(f"{self.hands_by}/{self._hand}")
        return super().acknowledge()

    def strength(self, hole: Sequence[int], board: Sequence[int]) -> float:
        """From 0 to 1, exact; before the flop the equity against two unseen cards."""
        seen = (tuple(hole), tuple(board))
        if seen != self._seen:
            self._seen, self._strength = seen, strength_of(hole, board)
        return self._strength

    def act(self, view: View) -> Answer:
        """By the strength of the hand and the raises of the street."""
        strength, level = self.strength(view.hole, view.board), view.level if view.street else view.level - 1
        if view.street:
            wants, stays = 1 - (1 - VALUE) * 0.45**level, 1 - (1 - STAYS) * 0.55 ** max(level - 1, 0)
            bluffs = BLUFFS * 0.45**level
        else:
            wants, stays = (
                (0.48, 0.6, 0.66, 0.72, 0.8)[min(level, 4)],
                (0.42, 0.49, 0.57, 0.64, 0.7)[min(level, 4)],
            )
            bluffs = 0.04
        if view.high and ((strength >= wants and self.happens(0.85)) or self.happens(bluffs)):
            return raised(view, self.style.size if self.happens(0.6) else SMALL)
        if not view.to_call:
            return Answer(CHECK)
        return Answer(CALL if strength >= stays else FOLD)


_PREFLOP: Final = preflop_equities()


def strength_of(hole: Sequence[int], board: Sequence[int]) -> float:
    """The strength of a hand as models see it."""
    if not board:
        low, high = sorted(card // 4 for card in hole[:2])
        suited = hole[0] % 4 == hole[1] % 4
        return float(_PREFLOP[low, high] if suited else _PREFLOP[high, low])
    sets = [suits_of(np.array([sum(1 << int(card) for card in cards)], np.uint64)) for cards in (hole, board)]
    return float(percentiles(sets[0], sets[1], _FULL)[0])


def in_play(view: View) -> bool:
    """Whether the player's bounty rank is among its cards or on the board."""
    return any(card // 4 == view.rank for card in (*view.hole, *view.board))


def has_draw(view: View) -> bool:
    """Whether four cards of a suit, or of a straight with two ends, are held with a street to come."""
    if view.street not in (1, 2):
        return False
    cards = (*view.hole, *view.board)
    suits = [sum(card % 4 == suit for card in cards) for suit in range(4)]
    own = {card % 4 for card in view.hole}
    if any(suits[suit] == 4 for suit in own):
        return True
    ranks = {card // 4 for card in cards}
    return any(all(rank + k in ranks for k in range(4)) for rank in range(9))


class Planted(Honest):
    """An honest player but for one leak."""

    def __init__(self, rng: Random, leak: str) -> None:
        """leak: one of `PLANTED`."""
        super().__init__(rng, HONEST)
        self.leak = leak

    def act(self, view: View) -> Answer:
        """By the leak where it shows, else as the style says."""
        found: Answer | None = getattr(self, "_" + self.leak)(view)
        return super().act(view) if found is None else found

    def _never_bluffs_rivers(self, view: View) -> Answer | None:
        if view.street < RIVER or self.strength(view.hole, view.board) >= VALUE:
            return None
        usual = super().act(view)
        if usual.action != RAISE:
            return usual
        return Answer(FOLD) if view.to_call else Answer(CHECK)

    def _over_folds_to_3bets(self, view: View) -> Answer | None:
        if view.street or view.level < 3:
            return None
        return None if self.strength(view.hole, ()) >= 0.66 else Answer(FOLD)

    def _calls_any_draw(self, view: View) -> Answer | None:
        return Answer(CALL) if view.to_call and has_draw(view) else None

    def _folds_to_small_turn_bets(self, view: View) -> Answer | None:
        small = view.to_call <= 0.55 * (view.pot - view.to_call)
        if view.street != 2 or not view.to_call or not small:
            return None
        return None if self.strength(view.hole, view.board) >= 0.9 else Answer(FOLD)

    def _limps_only_strong(self, view: View) -> Answer | None:
        if view.street or view.level > 1 or not view.to_call:
            return None
        strength = self.strength(view.hole, ())
        if strength >= 0.58:
            return Answer(CALL)
        return raised(view, self.style.size) if strength >= 0.5 and view.high else Answer(FOLD)

    def _sizes_by_strength(self, view: View) -> Answer | None:
        usual = super().act(view)
        if usual.action != RAISE or not view.street:
            return usual
        return raised(view, 1.5 if self.strength(view.hole, view.board) >= 0.75 else 0.4)


class Hunter(Honest):
    """An honest player that asks less of a hand if its bounty rank is in play."""

    lift = 0.0

    def strength(self, hole: Sequence[int], board: Sequence[int]) -> float:
        """As an honest player's, and more where a bounty would be won."""
        return super().strength(hole, board) + self.lift

    def act(self, view: View) -> Answer:
        """As an honest player with that strength."""
        self.lift = HUNTS if in_play(view) else 0.0
        return super().act(view)


class Bidder(Honest):
    """An honest player of auctions of a card: its bids grow with its hand, and a hand without the card beats fewer."""

    def strength(self, hole: Sequence[int], board: Sequence[int]) -> float:
        """As an honest player's; the best of an opponent's three pairs of cards beats more hands than one pair does."""
        found = super().strength(hole, board)
        return found**2 if board and len(hole) == 2 else found

    def bid(self, view: View) -> Answer:
        """From nothing to the pot."""
        wanted = round(view.pot * Honest.strength(self, view.hole, view.board))
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
        super().__init__(rng, HONEST)
        self.base: Bot = base or Honest(rng, HONEST)
        self.parts = [part for play in plays for part in play.parts]
        self.is_dealer: bool | None = None

    def acknowledge(self) -> Answer:
        """The hand is over."""
        self.is_dealer = None
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
        super().__init__(rng, HONEST)
        self.play = play

    def bid(self, view: View) -> Answer:
        """By the play."""
        play, strength = self.play, Honest.strength(self, view.hole, view.board)
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
        return Planted(rng, name) if plant.bot is None else plant.bot(rng, HONEST)

    return plant.game, planted, lambda rng: plant.other(rng, HONEST)


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


def winnings(
    game: str, one: Maker, other: Maker, hands: int, seed: int, unit: float
) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """(hands) what the other wins in each hand, in bb, in matches of 1,000 hands with seats that change.

    Bots draw their chances of each hand anew, so that two matches of one seed differ only in hands in which a bot acts
    otherwise.
    """
    won: list[float] = []
    for k in range(-(-hands // 1000)):
        played = match_of(game, _by_hand(one), _by_hand(other), 1000, seed, k)
        seat = 0 if k % 2 else 1
        won += [hand.deltas[seat] / unit for hand in played.hands]
    return np.array(won)


__all__ = [
    "PLANTED",
    "TIGHT_AGGRESSIVE",
    "Honest",
    "OtherBids",
    "Planted",
    "Ruled",
    "matches",
    "seated",
    "winnings",
]
