"""The blinds and stacks of OpenSpiel's poker, which its hands do not print, inferred from betting and results.

Positions count from the first to act after the flop: heads-up that is the big blind, else the small blind. The dealer
is last.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, product
from typing import Final, NamedTuple

from .record_values import AGREED, first_agreed

_ACTION: Final = re.compile(r"[cf]|r\d{1,12}")
_STREETS: Final = 4
_SMALL: Final = 0.25
"""A placeholder for an unknown small blind; not an amount."""
_USUAL: Final = (1.0, 2.0)
"""The small and the big blind of a match in which no hand shows them."""
_MOST_TRIED: Final = 64
"""The most stacks to try for a match."""
_MOST_SEATS: Final = 6
"""Players whose stacks may differ from the first hand on."""

CHECK, CALL, RAISE, FOLD = "check", "call", "raise", "fold"


class Action(NamedTuple):
    """A decision: the street, the position, the action, and the player's chips in the hand afterwards."""

    street: int
    position: int
    what: str
    spent: float


@dataclass(frozen=True)
class Played:
    """The betting of a hand: its decisions; by position, the chips put in and whether the player is still in.

    price  the cost of a call before the first raise: if the big blind has less chips, the blind or those chips
    """

    price: float
    actions: tuple[Action, ...]
    spent: tuple[float, ...]
    stays: tuple[bool, ...]


@dataclass(frozen=True)
class Betting:
    """A hand's betting and results, by position.

    seats    the players' seats
    betting  by street, `r` with the chips that the player then has in the hand
    net      each player's result
    put      chips that each put in, None if unknown
    """

    seats: tuple[int, ...]
    betting: str
    net: tuple[float, ...]
    put: tuple[float, ...] | None = None


@dataclass(frozen=True)
class Stakes:
    """By hand the small and the big blind, and the stacks by position, infinite where unknown.

    carried: stacks are carried from hand to hand
    """

    blinds: tuple[tuple[float, float], ...]
    stacks: tuple[tuple[float, ...], ...]
    carried: bool


def first_to_act(players: int) -> int:
    """The position that acts first before the flop."""
    return 1 if players == 2 else 2


def posted(players: int, small: float, big: float) -> tuple[float, ...]:
    """The blinds by position."""
    return (big, small) if players == 2 else (small, big) + (0.0,) * (players - 2)


def play(betting: str, stacks: Sequence[float], blinds: Sequence[float], whole: bool = True) -> Played | None:
    """Play the betting of a hand with these stacks; None if it does not fit them.

    whole: the hand is over
    """
    put = max(map(min, blinds, stacks))
    for price in dict.fromkeys((max(blinds), put)):
        played = _play(betting, stacks, blinds, price, whole)
        if played is not None:
            return played
    return None


def _play(
    betting: str, stacks: Sequence[float], blinds: Sequence[float], price: float, whole: bool
) -> Played | None:
    players = len(stacks)
    streets = betting.split("/")
    stays = [True] * players
    spent = [min(blind, stack) for blind, stack in zip(blinds, stacks, strict=True)]
    bet, actions = price, list[Action]()
    for street, word in enumerate(streets):
        said = _ACTION.findall(word)
        if "".join(said) != word or street >= _STREETS:
            return None
        asked = [False] * players
        at = first_to_act(players) if street == 0 else 0
        for what in said:
            seat = _due(at, stays, spent, stacks, asked, bet)
            if seat < 0:
                return None
            asked[seat], at = True, seat + 1
            if what == "f":
                stays[seat], word = False, FOLD
            elif what == "c":
                word = CALL if spent[seat] < bet else CHECK
                spent[seat] = min(max(bet, spent[seat]), stacks[seat])
            else:
                total, word = float(what[1:]), RAISE
                if not bet < total <= stacks[seat]:
                    return None
                spent[seat] = bet = total
                asked = [other == seat for other in range(players)]
            actions.append(Action(street, seat, word, spent[seat]))
        is_last = street == len(streets) - 1
        if sum(stays) == 1 and not (is_last and said and said[-1] == "f"):
            return None
        if sum(stays) > 1 and (whole or not is_last) and _due(at, stays, spent, stacks, asked, bet) >= 0:
            return None
    if whole and sum(stays) > 1 and len(streets) < _STREETS:
        return None
    return Played(price, tuple(actions), tuple(spent), tuple(stays))


def _due(
    at: int,
    stays: Sequence[bool],
    spent: Sequence[float],
    stacks: Sequence[float],
    asked: Sequence[bool],
    bet: float,
) -> int:
    """The position that is to act, -1 for none."""
    players = len(stays)
    if sum(stays) < 2:
        return -1
    able = [own and put < stack for own, put, stack in zip(stays, spent, stacks, strict=True)]
    several = sum(able) > 1
    for k in range(at, at + players):
        seat = k % players
        if able[seat] and (spent[seat] < bet or (several and not asked[seat])):
            return seat
    return -1


def fits(hand: Betting, stacks: Sequence[float], blinds: tuple[float, float]) -> bool:
    """True if a hand's betting and results agree with stacks and blinds."""
    played = play(hand.betting, stacks, posted(len(stacks), *blinds))
    if played is None:
        return False
    most = sorted(played.spent)[-2]
    for position, net in enumerate(hand.net):
        # An unmatched bet is returned.
        lost = min(played.spent[position], most)
        if hand.put is not None and hand.put[position] != played.spent[position]:
            return False
        if net < -lost or (net != -lost and not played.stays[position]):
            return False
    stay = [k for k, stays in enumerate(played.stays) if stays]
    if len({min(played.spent[k], most) for k in stay}) > 1:
        return True
    # There is one pot, with equal shares for the winners.
    won = [chips for k in stay if (chips := min(played.spent[k], most) + hand.net[k]) > 0]
    return bool(won) and max(won) - min(won) <= 1


def _seen_blinds(hand: Betting) -> tuple[float, float]:
    """The small and the big blind as far as a hand shows them, 0 if unknown.

    A player who folds after putting in no more than a blind has lost that blind.
    """
    players = len(hand.seats)
    blinds = posted(players, _SMALL, 2 * _SMALL)
    totals = [float(what[1:]) for what in _ACTION.findall(hand.betting) if what[0] == "r"]
    # If the betting stops before the last street, all players have put in the largest bet.
    tried = (play(hand.betting, [most] * players, blinds) for most in (math.inf, max(totals, default=0.0)))
    played = next((one for one in tried if one is not None), None)
    small = big = 0.0
    if played is not None:
        for spent, stays, net in zip(played.spent, played.stays, hand.net, strict=True):
            if spent == _SMALL and not stays:
                small = -net
            elif spent == 2 * _SMALL and (not stays or max(played.spent) == spent) and net < 0:
                big = max(big, -net)
    return small, big


def _levels(hands: Sequence[Betting]) -> Iterator[list[tuple[float, float]]]:
    """Candidates for the blinds of all hands: those of the first hands; those of each hand; the usual ones."""
    seen = [_seen_blinds(hand) for hand in hands]
    told = [first_agreed(one[kind] for one in seen if one[kind]) or 0.0 for kind in (0, 1)]
    yield [_pair(*told)] * len(hands)
    yield [
        _pair(*(_nearest([one[kind] for one in seen], place) for kind in (0, 1)))
        for place in range(len(hands))
    ]
    yield [_USUAL] * len(hands)


def _pair(small: float, big: float) -> tuple[float, float]:
    """Both blinds, if one may be unknown."""
    if not small and not big:
        return _USUAL
    return small or max(float(math.floor(big / 2)), 1.0), big or 2 * small


def _nearest(values: Sequence[float], place: int) -> float:
    """The last nonzero value up to an index, else the first one after it; 0 for none. Blinds never fall."""
    before = [value for value in values[: place + 1] if value]
    after = [value for value in values[place + 1 :] if value]
    return max(before) if before else (after[0] if after else 0.0)


def _carried(hands: Sequence[Betting]) -> list[dict[int, float]]:
    """By hand, what each seat had won before it."""
    won: dict[int, float] = {}
    found = []
    for hand in hands:
        found.append(dict(won))
        for seat, net in zip(hand.seats, hand.net, strict=True):
            won[seat] = won.get(seat, 0.0) + net
    return found


def _tried(hands: Sequence[Betting], won: Sequence[dict[int, float]]) -> Iterator[dict[int, float] | float]:
    """Candidates for the stacks of the first hand, of all players or by seat; unknown stacks come first."""
    yield math.inf
    losses: dict[int, float] = {}
    others: set[float] = set()
    for hand, before in zip(hands, won, strict=True):
        totals = {float(what[1:]) for what in _ACTION.findall(hand.betting) if what[0] == "r"}
        for position, seat in enumerate(hand.seats):
            lost = hand.put[position] if hand.put is not None else -hand.net[position]
            losses[seat] = max(losses.get(seat, 0.0), lost - before.get(seat, 0.0))
            others |= {total - before.get(seat, 0.0) for total in totals | {abs(hand.net[position])}}
    # No player loses more than its stack, and one lost all of it.
    yield max(losses.values(), default=0.0)
    if len(losses) <= _MOST_SEATS:
        for known in product((False, True), repeat=len(losses)):
            yield {
                seat: losses[seat] if is_known else math.inf
                for seat, is_known in zip(losses, known, strict=True)
            }
    yield from sorted(others, reverse=True)[:_MOST_TRIED]


def _candidates(hands: Sequence[Betting], tellers: Sequence[Betting]) -> Iterator[Stakes]:
    """Candidates for blinds and stacks of all hands. tellers: the first hands, which determine the stacks."""
    left = {seat for one, other in pairwise(hands) for seat in set(one.seats) - set(other.seats)}
    for blinds in _levels(hands):
        for carried in (True,) if left else (False, True):
            won = _carried(hands) if carried else [{} for _ in hands]
            for first in _tried(tellers, won[: len(tellers)]):
                yield Stakes(
                    tuple(blinds),
                    tuple(
                        tuple(
                            (first.get(seat, math.inf) if isinstance(first, dict) else first)
                            + before.get(seat, 0.0)
                            for seat in hand.seats
                        )
                        for hand, before in zip(hands, won, strict=True)
                    ),
                    carried,
                )


def infer(hands: Sequence[Betting]) -> Stakes:
    """The blinds and stacks that fit the first hands of a match, and of these most of all its hands.

    Candidates that fit most hands before the first contradiction win, if these are at least AGREED: later hands
    may belong to another match. Otherwise those that fit most hands win, since a stack is only seen in an all-in;
    of several, the least specific.
    """
    above, fewest, best = 0, len(hands) + 1, Stakes((), (), False)
    tellers = len(hands)
    while True:
        before = above
        for stakes in _candidates(hands, hands[:tellers]):
            misfits, fitting = 0, len(hands)
            for place, (hand, own, level) in enumerate(zip(hands, stakes.stacks, stakes.blinds, strict=True)):
                if min(own) > 0 and fits(hand, own, level):
                    continue
                if misfits == 0:
                    fitting = place if place >= AGREED else 0
                misfits += 1
                if fitting <= above and (fitting < above or misfits >= fewest):
                    break
            else:
                if fitting > above or misfits < fewest:
                    above, fewest, best = fitting, misfits, stakes
            if not fewest:
                return best
        # Losses of later hands are no stack of these: only hands up to the first contradiction count.
        further = max(above, AGREED) + 1
        if further >= len(hands) or (tellers < len(hands) and above == before):
            return best
        tellers = further
