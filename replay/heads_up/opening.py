"""A hand begins: its round line, by which a log's hands follow each other."""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import step
from .. import betting as b
from .. import findings, records
from ..records import Sheets, fill
from . import state as s
from .state import Play, find, misnamed, seat_in_order

LARGEST_NUMBER: Final = 2**31 - 1


@step
def _carry_on(play: Play, line: int, values: NDArray[np.int64], at: int, in_order: bool) -> None:
    """The bankrolls of a round line, dealer first, are those carried from the hand before if there is one.

    Where there is none they are an anchor, but in a game that adds no chips one player has won what the other lost.
    What they show after a damaged hand is damage.
    """
    match, report, chips = play.match, play.report, play.chips
    after_damage = s.is_after_damage(match, play.hand)
    first, jumps, refuted, total = report.used[records.FINDINGS], 0, 0, 0.0
    for k in range(2):
        seat = seat_in_order(play.hand, k)
        bank = float(values[at + 2 * k])
        if match["carries"] and in_order and not s.carries(chips, seat, bank):
            found = find(report, line, seat, findings.BANKROLL, chips["carry"][seat], bank)
            if after_damage:
                report.findings[found]["verdict"] = records.DAMAGED
            jumps += 1
            refuted += bank == chips["due"][seat]
        total += bank
        chips["award"][seat] = np.nan
        chips["bank"][seat] = bank
        play.holes[seat, 0] = 0
    # Bankrolls do not sum to nothing where the game adds chips.
    if match["free"][0] > 0:
        total = 0.0
    if not (match["carries"] and in_order) and total != 0:
        find(report, line, seat, findings.BANKROLL, bank - total, bank)
    s.carried_on(report, jumps, first, refuted, match["carries"] and in_order and total == 0)


@step
def open_hand(sheets: Sheets, play: Play, values: NDArray[np.int64], at: int, line: int) -> int:
    """A round line: number, then dealer and opponent with their bankrolls.

    Returns the number of the hand before, 0 for none.
    """
    match, hand, report = play.match, play.hand, play.report
    row = records.next_row(sheets.used, records.HANDS, min(len(sheets.hands), len(sheets.seats) // 2))
    sheets.used[records.SEATS] = 2 * row + 2
    number = values[at]
    last_number: int = match["last_number"]
    named, second = values[at + 1], values[at + 3]
    anchor = row == match["first_hand"]
    if anchor:
        match["from_zero"] = number == 0
    from_zero = match["from_zero"]
    dealer = 1 - (number + from_zero) % 2
    fill(play.hand_words, 0)
    b.begin(hand, 2, match["pots"])
    for board in range(match["pots"]):
        hand["free"][board] = match["free"][board]
    hand["open"], hand["row"], hand["number"], hand["line"] = 1, row, number + from_zero, line
    if not match["same_names"]:
        if second == named:
            find(report, line, second, findings.SEATS, float(1 - named), float(second))
        if named != dealer:
            misnamed(report, line, named, dealer, findings.ROTATION)
        dealer = named
    hand["dealer"] = dealer
    in_order = number == last_number + 1 or (last_number == 0 and (anchor or not from_zero))
    if not in_order:
        find(report, line, -1, findings.SEQUENCE, float(last_number), float(number))
        s.other_log(match)
    elif last_number == 0:
        match["whole"] = number + from_zero <= 1 or match["whole"] > 0
    _carry_on(play, line, values, at + 2, in_order)
    play.lines[0] = 0
    if not match["header_fits"]:
        find(report, 1, -1, findings.HEADER, 0.0, 0.0)
        match["header_fits"] = 1
    if match["marker_line"]:
        find(report, match["marker_line"], -1, findings.MARKER, 0.0, 0.0)
        match["marker_line"] = 0
    match["damage"] = 0
    match["last_number"] = number
    record = sheets.hands[row]
    record["match"], record["line"], record["dealer"] = match["number"], line, dealer
    record["number"] = min(number, LARGEST_NUMBER)
    record["first_seat"], record["players"] = 2 * row, 2
    record["first_act"], record["first_card"] = sheets.used[records.ACTS], sheets.used[records.HOLES]
    return last_number
