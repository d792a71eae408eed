"""The dialect of Toss (MIT Pokerbots 2026)."""

import re
from typing import Final

from . import mit
from .dialect import Dialect
from .grammar import Grammar

GRAMMAR: Final = Grammar(
    """
    discard_1        Discard 1 [{c}], {p} ({n}), {p} ({n})
    discard_2        Discard 2 [{c}], {p} ({n}), {p} ({n})
    stacks           Current stacks: {n}, {n}
    discard          {p} discards {c}
    illegal_discard  {p} attempted illegal DiscardAction
    no_such_card     {p} attempted to discard invalid index {n}
    street_note      street = {n}
    ev_preflop       {p} preflop bets EV: {n}
    ev_flop          {p} flop bets EV: {n}
    ev_turn          {p} turn bets EV: {n}
    """,
    base=mit.GRAMMAR,
)

DIALECT: Final = Dialect(
    "mit-toss",
    "toss",
    GRAMMAR,
    mit.cut,
    # Its stacks are no sign: Bounty prints them, too.
    signs=((b"\nDiscard 1 [", "discard_1"), (b" dealt [", re.compile(rb"(.+) dealt \[..(?: ..){2}\]\s*"))),
)
