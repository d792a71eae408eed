"""The game of hand-history formats that a game of the store is, and its betting limit."""

from functools import cache
from typing import Final, NamedTuple

from ..replay.games import HOLDEM_BOARDS, Game
from ..replay.orders import USUAL
from ..replay.replaying import game_named, tables
from ..variants import registry  # noqa: F401 - makes the games known
from ..variants.properties import DECISIONS, Properties
from .hands import CannotHold, Hand

NO_LIMIT: Final = "no limit"
POT_LIMIT: Final = "pot limit"
FIXED: Final = "fixed limit"

_SMALL_BETS: Final = 2
"""Streets with the small bet of a fixed limit."""
_CHIPS: Final = 1e-4


class Rules(NamedTuple):
    """A game of boards of three, four and five cards, betting in turn and one winner a pot.

    holes  hole cards; used: so many of them in a hand at the showdown, 0 for as many as make it best
    low    half of each pot goes to the lowest hand of five different ranks up to eight
    short  36 cards: a flush beats a full house, and an ace is also below a six
    """

    holes: int
    used: int
    low: bool
    short: bool


class Limit(NamedTuple):
    """How bets of a hand are limited; small, big: the bets of a fixed limit."""

    kind: str
    small: float = 0.0
    big: float = 0.0

    def size(self, street: int) -> float:
        """The bet of a street of a fixed limit."""
        return self.small if street < _SMALL_BETS else self.big


@cache
def _game(name: str) -> Game | None:
    try:
        return game_named(name)
    except KeyError:
        # A game of the user's own, which its file alone knows.
        return None


def rules_of(properties: Properties) -> Rules:
    """The rules of a game; CannotHold with the one in which it differs from hold'em and Omaha."""
    found = _rules(properties)
    if isinstance(found, str):
        raise CannotHold(f"not hold'em: {found}")
    return found


def _rules(properties: Properties) -> Rules | str:
    rules = properties
    game = _game(rules.game)
    omaha = rules.hole_cards == 4 and rules.holes_used == 2
    different = {
        "several boards": rules.boards != 1,
        "bets that are made at once": rules.simultaneous,
        "an auction": rules.auctions,
        "hole cards that are exchanged": rules.swaps or rules.passes,
        "redraws": rules.redraws,
        "cards that are given up": rules.discards or rules.throws,
        "ranks that count as others": rules.permutes,
        "a bounty": rules.bounties,
        "chips that nobody put in": bool(rules.free_chips),
        "a limit of what a winner is paid": rules.win_cap is not None,
        "no dealer button": not rules.button,
        f"{rules.forced} in place of blinds": rules.forced != "blinds",
        f"{rules.hole_cards} hole cards": rules.hole_cards != 2 and not omaha,
        "another order of hands": rules.own_order or (game is not None and game.order != USUAL),
        "all-ins that are paid by equity": rules.all_in_equity,
        "another deck": (rules.suits, rules.ranks) != (4, 13),
        "another board": tuple(rules.board_cards or ()) != HOLDEM_BOARDS,
        "other actions": not {*rules.decisions} <= {*DECISIONS},
    }
    for what, so in different.items():
        if so:
            return what
    return Rules(
        holes=rules.hole_cards or 2,
        used=rules.holes_used or 0,
        low=game is not None and game.low_half,
        short=game is not None and game.short_deck,
    )


def least_bet(hand: Hand, big_blind: float) -> float:
    """The least bet: what the log of a table allows as the first bet of a street; in other games the big blind."""
    game = _game(hand.match.rules.game)
    if game is None or game.family is not tables:
        return big_blind
    for act in hand.actions:
        least = act.min_raise_to
        is_open = act.street > 0 and not act.to_call and not act.bet_level
        # A player with fewer chips may bet those.
        if is_open and least is not None and (act.stack_before is None or act.stack_before > least):
            return least
    return big_blind


def limit_of(hand: Hand, big_blind: float) -> Limit:
    """How the bets of a hand are limited: as its match says, else as the bounds of its decisions show."""
    sizes = hand.match.raise_sizes
    if sizes is not None:
        return Limit(FIXED, sizes[0], sizes[-1])
    bounds = [
        (act, act.min_raise_to, act.max_raise_to)
        for act in hand.actions
        if act.min_raise_to is not None and act.max_raise_to is not None
    ]
    # A player with less than a bet or the pot is limited by its chips.
    free = [
        (act, low, high)
        for act, low, high in bounds
        if act.stack_before is None or high < act.pip_before + act.stack_before - _CHIPS
    ]
    if hand.match.rules.fixed_sizes or (free and all(low == high for _, low, high in bounds)):
        early = [h - a.pip_before - a.to_call for a, _, h in free if a.street < _SMALL_BETS]
        late = [h - a.pip_before - a.to_call for a, _, h in free if a.street >= _SMALL_BETS]
        small = early[0] if early else late[0] / 2 if late else big_blind
        return Limit(FIXED, small, late[0] if late else 2 * small)
    # What a decision's bound is above the pot.
    above = [high - (act.pip_before + 2 * act.to_call + (act.pot_before or 0.0)) for act, _, high in free]
    is_pot = max(above, default=0.0) <= _CHIPS and (
        any(abs(chips) <= _CHIPS for chips in above) or (not above and bool(hand.match.rules.holes_used))
    )
    game = _game(hand.match.rules.game)
    return Limit(POT_LIMIT if is_pot or (game is not None and game.pot_limit) else NO_LIMIT)
