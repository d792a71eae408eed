"""The dialect of Bounty Hold'em (MIT Pokerbots 2025), every revision."""

from typing import Final

from . import mit
from .dialect import Dialect
from .grammar import Grammar

GRAMMAR: Final = Grammar(
    """
    bounties     Bounties reset to {r} for player {p} and {r} for player {p}
    stacks       Current stacks: {n}, {n}
    hit          {p} hits their bounty
    counts       Winning counts at the end of the round: , {p} ({n}), {p} ({n})
    ev_preflop   {p} preflop bets EV: {n}
    ev_flop      {p} flop bets EV: {n}
    ev_turn      {p} turn bets EV: {n}
    """,
    base=mit.GRAMMAR,
)

DIALECT: Final = Dialect(
    "mit-bounty",
    "bounty",
    GRAMMAR,
    mit.cut,
    signs=(
        (b"\nBounties reset to ", "bounties"),
        (b"\nWinning counts at the end of the round: , ", "counts"),
    ),
)
