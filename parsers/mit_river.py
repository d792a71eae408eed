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
    signs=((b"Run [", "run"), (b"Flop\n", "bare_flop"), (b"Flop\r\n", "bare_flop")),
)
