"""Chooses the engine profile of a match, from lines and payouts, and finds awards that the next bankrolls refute."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, rare, step
from ...parsers import events as ev
from .. import findings, records
from ..records import Sheets, fill
from ..verdicts import choose_profile, count_missed, give_verdicts
from . import state as s
from .state import Engines, Play

_FEW: Final = 4


@part
def _fits(match: np.void, prints: int, stack: int) -> bool:
    """True if a profile's engine may have written the log: lines, minimum raises and stack agree."""
    fits = stack == match["stack"] or match["own_stack"] > 0
    fits = fits and not (match["low_raises"] and prints & HIGH_RAISES)
    return fits and _has_lines_of(match, prints)


@part
def _count_missed(sheets: Sheets, play: Play, engines: Engines, awards: NDArray[np.float64]) -> None:
    """Count the awards and explicable findings of the match that each profile leaves unexplained."""
    match, missed = play.match, play.missed
    fill(missed, 0)
    for row in range(match["first_hand"], sheets.used[records.HANDS]):
        logged = sheets.seats[2 * row + sheets.hands[row]["dealer"]]["delta"]
        for profile in range(len(engines.masks)):
            award = awards[row, profile]
            missed[profile] += not np.isnan(award) and award != logged
    last = sheets.used[records.FINDINGS]
    count_missed(sheets.findings, match["first_finding"], last, len(engines.masks), findings.AWARD, missed)


@part
def _refuted(sheets: Sheets, match: np.void, row: int) -> bool:
    """True if the next hand's bankrolls follow from the written rules, and not from the awards."""
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
    """True if the finding is about awards, or bankrolls after awards, that rules and bankrolls refute."""
    rule, row = int(finding["rule"]), int(finding["hand"])
    if rule == findings.BANKROLL:
        return _refuted(sheets, match, row - 1)
    return rule == findings.AWARD and _refuted(sheets, match, row)


@part
def _is_torn(sheets: Sheets, match: np.void) -> bool:
    """True if hands that contradict themselves are more than a few and outnumber those with refuted awards.

    Then lines of another log are in it: a log with edited awards has no other contradictions.
    """
    broken, before = 0, -1
    for row in range(match["first_finding"], sheets.used[records.FINDINGS]):
        finding = sheets.findings[row]
        if finding["verdict"] == records.DAMAGED and findings.STRUCTURE[finding["rule"]]:
            broken += finding["hand"] != before
            before = int(finding["hand"])
    torn: bool = broken > max(match["refuted"], _FEW)
    return torn


@rare
def judge(sheets: Sheets, match: np.void, chosen: int) -> None:
    """Give every finding and hand of a match its verdict, by the engine profile chosen.

    Awards that later bankrolls refute are edits, except in a log with lines of another one (`_is_torn`).
    """
    first, last = match["first_finding"], sheets.used[records.FINDINGS] + 0
    if _is_torn(sheets, match):
        for row in range(first, last):
            finding = sheets.findings[row]
            if _of_refuted(sheets, match, finding):
                finding["verdict"] = records.DAMAGED
    first_hand, last_hand = match["first_hand"], sheets.used[records.HANDS] + 0
    give_verdicts(sheets.hands, first_hand, last_hand, sheets.findings, first, last, chosen, True)


@rare
def close_match(sheets: Sheets, play: Play, engines: Engines, awards: NDArray[np.float64]) -> None:
    """Choose the match's engine profile and give every finding and hand its verdict.

    awards: (hands, MOST_PROFILES) the dealer's award by profile.
    """
    match = play.match
    _count_missed(sheets, play, engines, awards)
    fitting = 0
    for profile in range(len(engines.masks)):
        fitting |= int(_fits(match, engines.prints[profile], engines.stacks[profile])) << profile
    chosen = choose_profile(play.missed, len(engines.masks), fitting, sheets.matches[match["number"]])
    for row in range(match["first_hand"], sheets.used[records.HANDS]):
        dealer = sheets.hands[row]["dealer"]
        sheets.seats[2 * row + dealer]["engine"] = awards[row, chosen]
        sheets.seats[2 * row + 1 - dealer]["engine"] = -awards[row, chosen]
    judge(sheets, match, chosen)


class OptionalLine(NamedTuple):
    """An optional kind of line: due only in logs that have some, or in logs of some engines.

    kind     of `state`: the index in the match's `prints` and `due`
    events   of `parsers.events`
    word     its name in `Profile.prints`, "" if engines do not differ by it
    """

    kind: int
    events: tuple[int, ...]
    word: str = ""


OPTIONAL_LINES: Final = (
    OptionalLine(s.STACK_LINES, (ev.STACKS,)),
    OptionalLine(s.COUNT_LINES, (ev.COUNTS,)),
    OptionalLine(s.EXCEPTION_LINES, (ev.INDEX_ERROR, ev.KEY_ERROR, ev.VALUE_ERROR)),
    OptionalLine(s.SHOW_LINES, (ev.SHOW, *range(ev.SHOW_HIGH_CARD, ev.SHOW_STRAIGHT_FLUSH + 1)), "shows"),
    OptionalLine(s.HIT_LINES, (ev.HIT,), "hits"),
    OptionalLine(s.RUN_LINES, (ev.RUN_REACHED,), "runs"),
    OptionalLine(s.CHANGED_LINES, (ev.SWAP_AWARD,), "changed"),
    OptionalLine(s.BARE_LINES, (ev.BARE_FLOP, ev.BARE_TURN, ev.BARE_RIVER), "bare"),
    OptionalLine(s.WON_LINES, (ev.AUCTION_WON,), "won"),
    OptionalLine(s.STRAIGHT_LINES, (ev.STRAIGHTS,), "straights"),
    OptionalLine(s.EV_LINES, tuple(range(ev.EV_PREFLOP, ev.EV_TURN + 1)), "ev"),
    OptionalLine(s.SHORT_LINES, (ev.HAND_ONLY,)),
)

_TELLING: Final = tuple(line for line in OPTIONAL_LINES if line.word)
_KINDS: Final = np.array([line.kind for line in _TELLING], np.int64)
_KIND_OF: Final = np.full(256, -1, np.int64)
for _line in OPTIONAL_LINES:
    _KIND_OF[list(_line.events)] = _line.kind

HIGH_RAISES: Final = 1 << len(_TELLING)
"""The bit of an engine with higher minimum raises; not a kind of line."""
BITS: Final = {"high-raises": HIGH_RAISES, **{line.word: 1 << k for k, line in enumerate(_TELLING)}}
"""By the words of `Profile.prints` the bits of `Engines.prints`."""


@step
def survey(match: np.void, codes: NDArray[np.uint8], first: int, last: int) -> None:
    """Note which optional lines the match has."""
    for k in range(first, last):
        kind = _KIND_OF[codes[k]]
        if kind >= 0:
            match["prints"][kind] = 1


@rare
def spell_out(codes: NDArray[np.uint8], first: int, last: int) -> None:
    """Replace the events of a short log's abbreviated lines by those they mean."""
    for k in range(first, last):
        if codes[k] == ev.HAND_ONLY:
            codes[k] = ev.DEALT


@part
def _has_lines_of(match: np.void, prints: int) -> bool:
    """True if the optional lines of the log are those that an engine with these `Engines.prints` writes."""
    for k in range(len(_KINDS)):
        does = prints >> k & 1
        if match["prints"][_KINDS[k]]:
            if not does:
                return False
        elif does and match["due"][_KINDS[k]]:
            return False
    return True
