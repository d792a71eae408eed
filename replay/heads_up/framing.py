"""The lines around the hands of a match: its beginning, round lines, the final line."""

import numpy as np
from numpy.typing import NDArray

from ...jit.compile import part, rare, step
from .. import betting as b
from .. import findings, records
from ..match_lines import begin_row
from ..records import Sheets, fill
from . import state as s
from . import steps
from .state import Play, credited_pair, find, misnamed, seat_in_order


@step
def begin_match(play: Play, settings: NDArray[np.int64], number: int, sheets: Sheets) -> None:
    """The state of a match before its first line, and its row."""
    match = play.match
    for k in range(len(play.match_words)):
        play.match_words[k] = settings[number, k]
    fill(play.hand_words, 0)
    fill(play.chips_words, 0)
    for k in range(len(play.ranks)):
        play.ranks[k] = -1
    begin_row(sheets, match, 2)


@part
def close_hand(play: Play) -> None:
    """Close the open hand, which is settled."""
    hand, match = play.hand, play.match
    match["carries"] = hand["awarded"] == 2
    if hand["broken"]:
        match["whole"] = 0
    hand["open"] = 0


@part
def is_between_hands(play: Play) -> bool:
    """True if a merge marker belongs to no hand: before the first, or after the awards of one."""
    hand = play.hand
    between: bool = not hand["open"] or hand["paid"] > 0 or hand["awarded"] == 2
    return between


@rare
def is_cut(match: np.void, values: NDArray[np.int64], at: int, is_last: bool) -> bool:
    """True for a final line whose last digits are missing."""
    if not (match["cut"] and match["bare_rounds"] and is_last):
        return False
    one, other = values[at + 1] + 0, values[at + 3] + 0
    return _begins(one, -other) or _begins(other, -one)


@part
def _begins(short: int, number: int) -> bool:
    """True if a number is another one without its last digits."""
    size = abs(number) // 10
    while size > abs(short):
        size //= 10
    return size == abs(short) > 0 and (short < 0) == (number < 0)


@rare
def final(sheets: Sheets, play: Play, line: int, values: NDArray[np.int64], at: int) -> None:
    """Read the final bankrolls, in the order of the round that would come next."""
    hand, match = play.hand, play.match
    record = sheets.matches[match["number"]]
    # If the next dealer is unknown, either order is right.
    due = values[at] if match["deals_all"] else 1 - hand["dealer"]
    first = credited_pair(play.report, line, values[at], values[at + 2], due)
    for k in range(2):
        seat, bank = first if k == 0 else 1 - first, float(values[at + 2 * k + 1])
        if match["carries"] and not s.carries(play.chips, seat, bank):
            find(play.report, line, seat, findings.FINAL, play.chips["carry"][seat], bank)
        record["finals"][seat] = bank
    record["final"] = 1
    match["finished"] = 1
    match["due"][s.STRAIGHT_LINES] = match["due"][s.EV_LINES] = 1


@part
def _is_other_pay(chips: np.void, moved: float) -> bool:
    """True if bankrolls change as a showdown with an unprinted board pays, while its awards differ."""
    return bool(chips["unseen"] > 0 and (moved == 0 or abs(moved) == chips["unseen"]))


@rare
def _refute(play: Play, seat: int, moved: float, paid: float) -> None:
    """Report the previous hand's awards: nothing else can check them, and the bankrolls contradict them."""
    report = play.report
    before, line = report.hand["row"] - 1, play.marks[s.AWARD_LINE] + 0
    row = findings.find(report.findings, report.used, before, line, seat, findings.AWARD, moved, paid)
    report.findings[row]["chips"] = paid - moved


@step
def _carry_on(play: Play, line: int, values: NDArray[np.int64], at: int, in_order: bool) -> None:
    """Compare the bankrolls of a round line, dealer first, with those carried from the previous hand, if any.

    Without a previous hand they are the start, and sum to 0 in a game that adds no chips. Unprinted ones are not
    compared. A difference after a damaged hand is damage.
    """
    match, report, chips = play.match, play.report, play.chips
    after_damage = s.is_after_damage(match, play.hand)
    first, jumps, refuted, total = report.used[records.FINDINGS], 0, 0, 0.0
    paid = moved = 0.0
    for k in range(2):
        seat = seat_in_order(play.hand, k)
        bank = float(values[at + 2 * k])
        if match["carries"] and in_order and not match["bare_rounds"] and not s.carries(chips, seat, bank):
            found = find(report, line, seat, findings.BANKROLL, chips["carry"][seat], bank)
            if after_damage:
                report.findings[found]["verdict"] = records.DAMAGED
            jumps += 1
            paid, moved = chips["award"][seat] + 0.0, bank - chips["bank"][seat]
            refuted += bank == chips["due"][seat] or _is_other_pay(chips, moved)
        total += bank
        chips["award"][seat] = np.nan
        chips["bank"][seat] = bank
        play.holes[seat, 0] = 0
    if jumps == 2 and refuted == 2 and chips["unseen"] > 0:
        _refute(play, seat_in_order(play.hand, 1), moved, paid)
    # Bankrolls do not sum to 0 if the game adds chips.
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
        match["from_zero"] = number == 0 or match["rows"] > 0
    from_zero = match["from_zero"]
    dealer = match["deals_all"] - 1 if match["deals_all"] else 1 - (number + from_zero) % 2
    fill(play.hand_words, 0)
    b.begin(hand, 2, match["pots"])
    hand["stack"][0] = hand["stack"][1] = match["stack"]
    for board in range(match["pots"]):
        hand["free"][board] = match["free"][board]
    hand["open"], hand["row"], hand["number"], hand["line"] = 1, row, number + from_zero, line
    hand["seen"] = match["not_in_deck"]
    if not match["same_names"]:
        if second == named:
            find(report, line, second, findings.SEATS, float(1 - named), float(second))
        if named != dealer:
            misnamed(report, line, named, dealer, findings.ROTATION)
        dealer = named
    hand["dealer"] = dealer
    if match["functions"]:
        steps.forget(play)
    hand["on_last_street"] = match["last_street"] == 0
    in_order = number == last_number + 1 or (last_number == 0 and (anchor or not from_zero))
    if not in_order and match["lost_number"] != number - 1:
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
    record["number"] = number
    record["first_seat"], record["players"] = 2 * row, 2
    record["first_act"], record["first_card"] = sheets.used[records.ACTS], sheets.used[records.HOLES]
    return last_number
