"""The end of a Blotto match: which engines may have written it."""

from ...jit.compile import part
from .. import records
from ..heads_up.judging import judge
from ..records import Sheets, fill
from ..verdicts import choose_profile, count_missed
from .state import Engines, Table


@part
def close_match(sheets: Sheets, table: Table, engines: Engines) -> None:
    """Choose the match's engine profile and give every finding and hand its verdict."""
    match, missed = table.play.match, table.play.missed
    profiles, last = len(engines.masks), sheets.used[records.FINDINGS]
    fill(missed, 0)
    count_missed(sheets.findings, match["first_finding"], last, profiles, -1, missed)
    fitting = 0
    for profile in range(profiles):
        fitting |= int(table.match["seen"] & ~engines.prints[profile] == 0) << profile
    judge(sheets, match, choose_profile(missed, profiles, fitting, sheets.matches[match["number"]]))
