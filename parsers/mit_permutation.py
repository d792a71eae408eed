"""The dialect of Permutation Hold'em (MIT Pokerbots 2020): every card is printed as dealt and as it counts."""

from typing import Final

from . import mit
from .dialect import Dialect
from .grammar import Grammar

# Whose lines are those of every year; where cards stand they are others.
_SHARED: Final = frozenset(t.event for t in mit.GRAMMAR.templates) - {
    "dealt",
    "flop",
    "turn",
    "river",
    "show",
}

GRAMMAR: Final = Grammar(
    """
    frame        ---------------------------
    frame        " 2 3 4 5 6 7 8 9 T J Q K A "
    permutation  [{r} {r} {r} {r} {r} {r} {r} {r} {r} {r} {r} {r} {r}]
    dealt        {p} dealt {c} [{c}]
    flop         Flop {c} [{c}], {p} ({n}), {p} ({n})
    turn         Turn {c} [{c}], {p} ({n}), {p} ({n})
    river        River {c} [{c}], {p} ({n}), {p} ({n})
    show         {p} shows {c} [{c}]
    straights    Straights {n} {n}
    """
    + "\n".join(f"{t.event} {t.pattern}" for t in mit.GRAMMAR.templates if t.event in _SHARED)
)

DIALECT: Final = Dialect("mit-permutation", "permutation", GRAMMAR, mit.cut, signs=((b" dealt ", "dealt"),))
