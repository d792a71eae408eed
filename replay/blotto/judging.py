"""The end of a Blotto match: which engine explains it, and the verdict on every finding and hand."""

import numpy as np
from numpy.typing import NDArray

from ...parsers.kernels import part
from .. import records
from ..heads_up import state as s
from ..heads_up.judging import give_verdicts
from ..records import Sheets
from . import state as t
from .state import Engines, Table


@part
def _count_missed(sheets: Sheets, table: Table, engines: Engines) -> None:
    """How many findings that some engine explains each profile leaves unexplained."""
    missed = table.play.missed
    for profile in range(len(missed)):
        missed[profile] = 0
    for row in range(table.play.match[s.FIRST_FINDING], sheets.used[records.FINDINGS]):
        explained = sheets.findings[row]["explained"]
        if explained != s.NO_EXPLANATION:
            for profile in range(len(engines.masks)):
                missed[profile] += (explained >> (8 * profile)) & 255 == s.UNEXPLAINED


@part
def _choose(table: Table, engines: Engines, record: NDArray[np.void]) -> int:
    """The profile that leaves fewest unexplained among those that print what the log has; the latest of equals."""
    seen, missed = table.play.match[t.SEEN], table.play.missed
    any_fits = False
    for profile in range(len(engines.masks)):
        any_fits = any_fits or seen & ~engines.prints[profile] == 0
    chosen, ties = -1, 0
    for profile in range(len(engines.masks)):
        if any_fits and seen & ~engines.prints[profile] != 0:
            continue
        if chosen < 0 or missed[profile] < missed[chosen]:
            ties = 0
        if chosen < 0 or missed[profile] <= missed[chosen]:
            chosen = profile
            ties |= 1 << profile
    record["profile"], record["ties"] = chosen, ties
    return chosen


@part
def close_match(sheets: Sheets, table: Table, engines: Engines) -> None:
    """Choose the match's engine profile and give every finding and hand its verdict."""
    match = table.play.match
    _count_missed(sheets, table, engines)
    chosen = _choose(table, engines, sheets.matches[match[s.NUMBER]])
    give_verdicts(sheets, match, chosen)
