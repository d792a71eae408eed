"""The end of a match: which engine explains it, and the verdict on every finding and hand."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part
from .. import findings, records
from ..games import UNEXPLAINED
from ..records import Sheets, fill
from . import optional
from . import state as s
from .state import Engines, Play

_FEW: Final = 4


@part
def _fits(match: np.void, prints: int, stack: int) -> bool:
    """True where a profile's engine may have written the log: by its lines, its least raises and its stack."""
    fits = stack == match["stack"] or match["own_stack"] > 0
    fits = fits and not (match["low_raises"] and prints & optional.HIGH_RAISES)
    return fits and optional.told_by(match, prints)


@part
def _count_missed(sheets: Sheets, play: Play, engines: Engines, awards: NDArray[np.float64]) -> None:
    """How many awards and explicable findings of the match each profile leaves unexplained."""
    match, missed = play.match, play.missed
    fill(missed, 0)
    for row in range(match["first_hand"], sheets.used[records.HANDS]):
        logged = sheets.seats[2 * row + sheets.hands[row]["dealer"]]["delta"]
        for profile in range(len(engines.masks)):
            award = awards[row, profile]
            missed[profile] += not np.isnan(award) and award != logged
    for row in range(match["first_finding"], sheets.used[records.FINDINGS]):
        finding = sheets.findings[row]
        if finding["explained"] != s.NO_EXPLANATION and finding["rule"] != findings.AWARD:
            for profile in range(len(engines.masks)):
                missed[profile] += s.byte_of(finding["explained"], profile) == UNEXPLAINED


@part
def choose(missed: NDArray[np.int64], profiles: int, fitting: int, record: np.void) -> int:
    """The profile that leaves fewest unexplained, the latest of equals; it and their mask go into the match's row.

    missed: by profile what it leaves unexplained, for as many as there are `profiles`;
    fitting: the mask of the profiles whose logs have the lines that this one has; the others count where none fits.
    """
    chosen, ties = -1, 0
    for profile in range(profiles):
        if fitting and not fitting >> profile & 1:
            continue
        if chosen < 0 or missed[profile] < missed[chosen]:
            ties = 0
        if chosen < 0 or missed[profile] <= missed[chosen]:
            chosen = profile
            ties |= 1 << profile
    record["profile"], record["ties"] = chosen, ties
    return chosen


@part
def _refuted(sheets: Sheets, match: np.void, row: int) -> bool:
    """True where the next hand's bankrolls are those of the written pay, and not those of the awards."""
    after = row + 1
    if row < match["first_hand"] or after >= sheets.used[records.HANDS]:
        return False
    refuted: bool = sheets.hands[after]["number"] == sheets.hands[row]["number"] + 1
    for seat in range(2):
        paid, bank = sheets.seats[2 * row + seat], sheets.seats[2 * after + seat]["bank"]
        refuted = refuted and bank == paid["bank"] + paid["written"] and paid["written"] != paid["delta"]
    return refuted


@part
def _of_refuted(sheets: Sheets, match: np.void, finding: np.void) -> bool:
    """True where the finding is of awards, or of bankrolls after awards, that the rules and the bankrolls refute."""
    rule, row = int(finding["rule"]), int(finding["hand"])
    if rule == findings.BANKROLL:
        return _refuted(sheets, match, row - 1)
    return rule == findings.AWARD and _refuted(sheets, match, row)


@part
def _is_torn(sheets: Sheets, match: np.void) -> bool:
    """True where more hands contradict themselves, and more than a few, than have refuted awards: lines of another log.

    In a log that is edited in its awards nothing else does.
    """
    broken, before = 0, -1
    for row in range(match["first_finding"], sheets.used[records.FINDINGS]):
        finding = sheets.findings[row]
        if finding["verdict"] == records.DAMAGED and findings.STRUCTURE[finding["rule"]]:
            broken += finding["hand"] != before
            before = int(finding["hand"])
    torn: bool = broken > max(match["refuted"], _FEW)
    return torn


@part
def give_verdicts(sheets: Sheets, match: np.void, chosen: int) -> None:
    """Give every finding and hand of a match its verdict, by the engine profile chosen.

    Lines of a hand that contradict each other explain whatever else is found there: of two lines those of one log
    are as good as those of another. What a marker above a hand, a hand lost or damage in the hand before explains
    (the bankrolls carried past it; what another log says of all its hands) was marked when it was found, and
    excuses nothing else.

    Awards that the bankrolls after them refute are edits, but in a log that is torn elsewhere (`_is_torn`).
    """
    last, torn = sheets.used[records.FINDINGS], _is_torn(sheets, match)
    for row in range(match["first_hand"], sheets.used[records.HANDS]):
        sheets.hands[row]["verdict"] = records.OK
        sheets.hands[row]["deviations"] = 0
    for row in range(match["first_finding"], last):
        finding = sheets.findings[row]
        rule, hand = finding["rule"], sheets.hands[finding["hand"]]
        byte = s.byte_of(finding["explained"], chosen)
        if finding["explained"] != s.NO_EXPLANATION and byte != UNEXPLAINED:
            finding["verdict"], finding["deviation"] = records.DEVIATION, byte
        elif torn and _of_refuted(sheets, match, finding):
            finding["verdict"] = records.DAMAGED
        hand["deviations"] |= finding["deviation"]
        if finding["verdict"] != records.DAMAGED or (
            findings.BREAKS[rule] and finding["line"] >= hand["line"]
        ):
            hand["verdict"] = max(hand["verdict"], finding["verdict"])
        if (rule == findings.SPLICED or rule == findings.SEQUENCE) and finding["hand"] > match["first_hand"]:
            # The other log may begin among the lines of the hand before.
            before = sheets.hands[finding["hand"] - 1]
            if before["verdict"] == records.VIOLATION:
                before["verdict"] = records.DAMAGED
    for row in range(match["first_finding"], last):
        finding = sheets.findings[row]
        hand = sheets.hands[finding["hand"]]
        if hand["verdict"] == records.DAMAGED and finding["verdict"] == records.VIOLATION:
            finding["verdict"] = records.DAMAGED
        elif hand["verdict"] < records.VIOLATION and finding["verdict"] == records.DAMAGED:
            hand["verdict"] = records.DAMAGED


@part
def close_match(sheets: Sheets, play: Play, engines: Engines, awards: NDArray[np.float64]) -> None:
    """Choose the match's engine profile and give every finding and hand its verdict.

    awards: (hands, MOST_PROFILES) the dealer's award by profile.
    """
    match = play.match
    _count_missed(sheets, play, engines, awards)
    fitting = 0
    for profile in range(len(engines.masks)):
        fitting |= int(_fits(match, engines.prints[profile], engines.stacks[profile])) << profile
    chosen = choose(play.missed, len(engines.masks), fitting, sheets.matches[match["number"]])
    for row in range(match["first_hand"], sheets.used[records.HANDS]):
        dealer = sheets.hands[row]["dealer"]
        sheets.seats[2 * row + dealer]["engine"] = awards[row, chosen]
        sheets.seats[2 * row + 1 - dealer]["engine"] = -awards[row, chosen]
    give_verdicts(sheets, match, chosen)
