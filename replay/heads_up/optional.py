"""Lines that the logs of some engines have, and those of others do not: one table of them."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, step
from ...parsers import events as ev
from . import state as s

NEVER, ALWAYS = -1, -2


class OptionalLine(NamedTuple):
    """Lines that are due only where a log has some, or by which engines are told apart.

    printed  the slot of the match's state that is 1 where its log has some
    events   of `parsers.events`
    word     what `Profile.prints` calls them, "" where no engine is told by them
    due      the slot of the match's state that is above 0 where an engine that prints them would have printed some
    """

    printed: int
    events: tuple[int, ...]
    word: str = ""
    due: int = NEVER


OPTIONAL_LINES: Final = (
    OptionalLine(s.PRINTS_STACKS, (ev.STACKS,)),
    OptionalLine(s.PRINTS_COUNTS, (ev.COUNTS,)),
    OptionalLine(s.PRINTS_EXCEPTIONS, (ev.INDEX_ERROR, ev.KEY_ERROR, ev.VALUE_ERROR)),
    OptionalLine(s.PRINTS_SHOWS, (ev.SHOW,), "shows"),
    OptionalLine(s.PRINTS_HITS, (ev.HIT,), "hits", s.HITS_DUE),
    OptionalLine(s.PRINTS_RUNS, (ev.RUN_REACHED,), "runs", s.RUNS_DUE),
    OptionalLine(s.PRINTS_CHANGED, (ev.SWAP_AWARD,), "changed", s.CHANGES_DUE),
    OptionalLine(s.PRINTS_BARE, (ev.BARE_FLOP, ev.BARE_TURN, ev.BARE_RIVER), "bare", ALWAYS),
    OptionalLine(s.PRINTS_WON, (ev.AUCTION_WON,), "won", s.WON_DUE),
    OptionalLine(s.PRINTS_STRAIGHTS, (ev.STRAIGHTS,), "straights", s.FINISHED),
    OptionalLine(s.PRINTS_EV, tuple(range(ev.EV_PREFLOP, ev.EV_TURN + 1)), "ev", s.FINISHED),
)

_TELLING: Final = tuple(line for line in OPTIONAL_LINES if line.word)
_PRINTED: Final = np.array([line.printed for line in _TELLING], np.int64)
_DUE: Final = np.array([line.due for line in _TELLING], np.int64)
_SLOT_OF: Final = np.zeros(256, np.int64)
for _line in OPTIONAL_LINES:
    _SLOT_OF[list(_line.events)] = _line.printed

HIGH_RAISES: Final = 1 << len(_TELLING)
"""No lines: the bit of an engine that asks for higher raises."""
BITS: Final = {"high-raises": HIGH_RAISES, **{line.word: 1 << k for k, line in enumerate(_TELLING)}}
"""By the words of `Profile.prints` the bits of `Engines.prints`."""


@step
def survey(match: NDArray[np.int64], codes: NDArray[np.uint8], first: int, last: int) -> None:
    """Note which optional lines the match has."""
    for k in range(first, last):
        slot = _SLOT_OF[codes[k]]
        if slot > 0:
            match[slot] = 1


@part
def told_by(match: NDArray[np.int64], prints: int) -> bool:
    """True where an engine that prints some lines, and not others, may have written a log that has some of them."""
    for k in range(len(_PRINTED)):
        does = prints >> k & 1
        if match[_PRINTED[k]]:
            if not does:
                return False
        elif does and (_DUE[k] == ALWAYS or (_DUE[k] != NEVER and match[_DUE[k]])):
            return False
    return True
