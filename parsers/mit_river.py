"""The dialect of River of Blood Hold'em (MIT Pokerbots 2023), every revision that deals a run."""

from typing import Final

from . import mit
from .dialect import Dialect
from .grammar import Grammar

GRAMMAR: Final = Grammar(
    """
    run          Run [{c}], {p} ({n}), {p} ({n})
    bare_flop    Flop
    bare_turn    Turn
    bare_river   River
    run_reached  Run reached
    run_won      {p} won {n}
    """,
    base=mit.GRAMMAR,
)

DIALECT: Final = Dialect(
    "mit-river",
    "river-of-blood",
    GRAMMAR,
    mit.cut,
    signs=((b"\nRun [", "run"), (b"\nFlop\n", "bare_flop"), (b"\nFlop\r\n", "bare_flop")),
)
