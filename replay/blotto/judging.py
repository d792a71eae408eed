"""The end of a Blotto match: which engine explains it, and the verdict on every finding and hand."""

from ...jit.compile import part
from .. import records
from ..games import UNEXPLAINED
from ..heads_up import state as s
from ..heads_up.judging import choose, give_verdicts
from ..records import Sheets
from .state import Engines, Table


@part
def _count_missed(sheets: Sheets, table: Table, engines: Engines) -> None:
    """How many findings that some engine explains each profile leaves unexplained."""
    missed = table.play.missed
    for profile in range(len(missed)):
        missed[profile] = 0
    for row in range(table.play.match["first_finding"], sheets.used[records.FINDINGS]):
        explained = sheets.findings[row]["explained"]
        if explained != s.NO_EXPLANATION:
            for profile in range(len(engines.masks)):
                missed[profile] += s.byte_of(explained, profile) == UNEXPLAINED


@part
def close_match(sheets: Sheets, table: Table, engines: Engines) -> None:
    """Choose the match's engine profile and give every finding and hand its verdict."""
    match = table.play.match
    _count_missed(sheets, table, engines)
    fitting = 0
    for profile in range(len(engines.masks)):
        fitting |= int(table.match["seen"] & ~engines.prints[profile] == 0) << profile
    chosen = choose(table.play.missed, len(engines.masks), fitting, sheets.matches[match["number"]])
    give_verdicts(sheets, match, chosen)
