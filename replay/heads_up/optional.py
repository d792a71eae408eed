"""Lines that the logs of some engines have, and those of others do not: one table of them."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, step
from ...parsers import events as ev
from . import state as s


class OptionalLine(NamedTuple):
    """A kind of line that is due only in a log that has some, or that tells engines apart.

    kind     of `state`, the place in the match's `prints` and `due`
    events   of `parsers.events`
    word     its name in `Profile.prints`, "" if it tells no engines apart
    """

    kind: int
    events: tuple[int, ...]
    word: str = ""


OPTIONAL_LINES: Final = (
    OptionalLine(s.STACK_LINES, (ev.STACKS,)),
    OptionalLine(s.COUNT_LINES, (ev.COUNTS,)),
    OptionalLine(s.EXCEPTION_LINES, (ev.INDEX_ERROR, ev.KEY_ERROR, ev.VALUE_ERROR)),
    OptionalLine(s.SHOW_LINES, (ev.SHOW,), "shows"),
    OptionalLine(s.HIT_LINES, (ev.HIT,), "hits"),
    OptionalLine(s.RUN_LINES, (ev.RUN_REACHED,), "runs"),
    OptionalLine(s.CHANGED_LINES, (ev.SWAP_AWARD,), "changed"),
    OptionalLine(s.BARE_LINES, (ev.BARE_FLOP, ev.BARE_TURN, ev.BARE_RIVER), "bare"),
    OptionalLine(s.WON_LINES, (ev.AUCTION_WON,), "won"),
    OptionalLine(s.STRAIGHT_LINES, (ev.STRAIGHTS,), "straights"),
    OptionalLine(s.EV_LINES, tuple(range(ev.EV_PREFLOP, ev.EV_TURN + 1)), "ev"),
)

_TELLING: Final = tuple(line for line in OPTIONAL_LINES if line.word)
_KINDS: Final = np.array([line.kind for line in _TELLING], np.int64)
_KIND_OF: Final = np.full(256, -1, np.int64)
for _line in OPTIONAL_LINES:
    _KIND_OF[list(_line.events)] = _line.kind

HIGH_RAISES: Final = 1 << len(_TELLING)
"""No lines: the bit of an engine that asks for higher raises."""
BITS: Final = {"high-raises": HIGH_RAISES, **{line.word: 1 << k for k, line in enumerate(_TELLING)}}
"""By the words of `Profile.prints` the bits of `Engines.prints`."""


@step
def survey(match: np.void, codes: NDArray[np.uint8], first: int, last: int) -> None:
    """Note which optional lines the match has."""
    for k in range(first, last):
        kind = _KIND_OF[codes[k]]
        if kind >= 0:
            match["prints"][kind] = 1


@part
def told_by(match: np.void, prints: int) -> bool:
    """True where an engine that prints some lines, and not others, may have written a log that has some of them."""
    for k in range(len(_KINDS)):
        does = prints >> k & 1
        if match["prints"][_KINDS[k]]:
            if not does:
                return False
        elif does and match["due"][_KINDS[k]]:
            return False
    return True
