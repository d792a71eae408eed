"""What the Bounty engine of 2025 does beside its rules: its rounding, its early sign bug, its EV lines."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import ceil, floor

from .decoded import Hand, Match
from .holdem import best_five, hits_bounty, winner_of


def strengths_of(hand: Hand) -> list[tuple[int, ...]] | None:
    """Strength by position at a showdown, None where somebody folded."""
    if hand["folded_by"] is not None:
        return None
    return [best_five([*hole, *hand["board"]]) for hole in hand["hole"]]


def hits_of(hand: Hand) -> list[bool]:
    """By position, whether own cards or the board dealt so far hold the bounty rank; a folder hits, too."""
    return [
        rank is not None and hits_bounty(rank, hole, hand["board"])
        for rank, hole in zip(hand["bounties"], hand["hole"], strict=True)
    ]


def ending(hand: Hand) -> str:
    """The last action: `fold by BB`, `river call by dealer`, `check`, ...; a tie has `split ` before it."""
    last = hand["actions"][-1]
    who = ("dealer", "BB")[last["player"]]
    words = {"fold": f"fold by {who}", "call": f"river call by {who}"}.get(last["kind"], last["kind"])
    return f"split {words}" if winner_of(hand["folded_by"], strengths_of(hand)) is None else words


def engine_payout(hand: Hand, split_to_dealer: bool = False) -> list[int]:
    """Chips by position as the engine pays. `split_to_dealer`: before 7 January 2025 a split with one hit
    paid the dealer.

    The dealer's gain (negative for a loss) is rounded up where the big blind folded or the dealer's call
    ended the river, and down elsewhere: the engine goes by its turn counter, not by who won.
    """
    contributions, hits = hand["contributions"], hits_of(hand)
    winner = winner_of(hand["folded_by"], strengths_of(hand))
    if winner is not None:
        gain = Fraction(contributions[1 - winner])
        if hits[winner]:
            gain = Fraction(3, 2) * gain + 10
        gain = gain if winner == 0 else -gain
    elif hits[0] == hits[1]:
        gain = Fraction(0)
    else:
        gain = Fraction(contributions[0], 4) + 10
        gain = gain if hits[0] or split_to_dealer else -gain
    last = hand["actions"][-1]
    upward = (last["kind"], last["player"]) in (("fold", 1), ("call", 0))
    dealer = ceil(gain) if upward else floor(gain)
    return [dealer, -dealer]


def ev_lines(match: Match) -> list[list[int]]:
    """By seat, the (preflop, flop, turn) numbers of the EV lines after `Final`.

    Before each action of either player, whoever made it and why, one of three values of *both* players is
    overwritten with what that player has put in: on the flop `preflop`; on the turn `flop`, less `preflop`;
    preflop and on the river `turn`, less both. They are never reset. After the round each is added with the
    sign of the player's award. The engine keys them by name, so equal names cancel to 0.
    """
    values = [[0, 0, 0], [0, 0, 0]]
    totals = [[0, 0, 0], [0, 0, 0]]
    for hand in match["hands"]:
        for street, put_in in _before_each_action(hand):
            for position, seat in enumerate(hand["seats"]):
                value, chips = values[seat], put_in[position]
                if street == 1:
                    value[0] = chips
                elif street == 2:
                    value[1] = chips - value[0]
                else:
                    value[2] = chips - value[1] - value[0]
        for position, seat in enumerate(hand["seats"]):
            award = hand["awards"][position] or 0
            for k in range(3):
                totals[seat][k] += ((award > 0) - (award < 0)) * values[seat][k]
    return [[0, 0, 0], [0, 0, 0]] if match["names"][0] == match["names"][1] else totals


def _before_each_action(hand: Hand) -> list[tuple[int, Sequence[int]]]:
    """(street, contributions by position) before each action."""
    states: list[tuple[int, Sequence[int]]] = []
    put_in = [1, 2]
    for action in hand["actions"]:
        states.append((action["street"], tuple(put_in)))
        if action["kind"] == "call":
            put_in[action["player"]] += action["to_call"]
        elif action["amount"] is not None:
            put_in[action["player"]] += action["amount"] - action["pip"]
    return states
