"""Macros that count every statistic of `sql/statistics.sql` at once: one pass over the flags, not one a statistic.

A tally is the flags of up to MOST hands, added up: seven flags to a word, a byte each, so that one addition counts
seven. `tally_of(flags)` makes it, `counts_of(tally, cluster)` adds tallies up to a list with an element a statistic.
Where hands have no cluster, `tally_block(hand_index)`, below 0, numbers blocks of MOST.
"""

from collections.abc import Iterable
from typing import Final

from ..schema.words import FLAGS

MOST: Final = 255
"""Hands of one tally: what a byte can count."""

_BITS: Final = 7
_SPREAD: Final = sum(1 << 7 * k for k in range(_BITS))
"""Times seven bits: a copy of them every seven bits; of copy k, bit k lies at bit 8 k."""
_LOWEST: Final = sum(1 << 8 * k for k in range(_BITS))
"""The lowest bit of each of seven bytes."""

REQUIRED: Final = {"won_hand": "saw_flop"}
"""Flags that do not imply the opportunity of their statistic, and the flag that has to be there. Others imply it."""

Statistic = tuple[str, str | None, str | None]
"""statistic, opportunity_flag, success_flag of a row of `statistics`."""


def tally_macros(statistics: Iterable[Statistic]) -> list[str]:
    """The statements that make `tally_of` and `counts_of`."""
    bit = {flag: 1 << place for place, flag in enumerate(FLAGS)}
    counted = "flags::bigint"
    for flag, required in REQUIRED.items():
        counted = f"if(flags & {bit[required]} = 0, flags & ~{bit[flag]}::ubigint, flags)::bigint"
    words = {
        f"word_{first}": f"sum(({counted} >> {first} & {(1 << _BITS) - 1}) * {_SPREAD} & {_LOWEST})::bigint"
        for first in range(0, len(FLAGS), _BITS)
    }
    listed = ", ".join(
        f"{{'statistic': '{name}', 'opportunities': sum({n})::bigint, 'successes': sum({k})::bigint, "
        f"'spread': spread_of({n}, {k}, cluster)}}"
        for name, n, k in (
            (name, _count(chance), _count(success)) for name, chance, success in statistics if success
        )
    )
    tally = ", ".join(f"'{word}': {value}" for word, value in words.items())
    return [
        f"create macro tally_block(hand_index) as -1 - hand_index // {MOST}",
        f"create macro tally_of(flags) as {{'hands': count(*), {tally}}}",
        f"create macro counts_of(tally, cluster) as [{listed}]",
    ]


def _count(flag: str | None) -> str:
    """How many hands of a tally have a flag; all for None."""
    if flag is None:
        return "tally.hands::integer"
    place = FLAGS.index(flag)
    return f"(tally.word_{place - place % _BITS} >> {8 * (place % _BITS)} & {MOST})::integer"
