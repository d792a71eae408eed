"""The dialect of Swap Hold'em (MIT Pokerbots 2022), every revision."""

from typing import Final

from . import mit
from .dialect import Dialect
from .grammar import Grammar

GRAMMAR: Final = Grammar(
    """
    hole         {p}'s hand: [{c}]
    swap_award   {p} (swapped) awarded {n}
    ev_preflop   {p} preflop bets EV: {n}
    ev_flop      {p} flop bets EV: {n}
    ev_turn      {p} turn bets EV: {n}
    """,
    base=mit.GRAMMAR,
)

DIALECT: Final = Dialect("mit-swap", "swap", GRAMMAR, mit.cut, signs=((b"'s hand: [", "hole"),))
