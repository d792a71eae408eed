"""Joins the dealer's error log to the hands: faults that the log itself does not show."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...parsers import events as ev
from ...parsers.acpc import AcpcMatch, headed
from ...parsers.acpc_sidecars import Complaint
from ...parsers.reading import Scanned
from .. import records
from ..records import Sheets


@dataclass(frozen=True)
class Fault:
    """A complaint and the row of its hand, among the match's or the sheets'; -1 if the log lacks that hand."""

    row: int
    complaint: Complaint


def _is_of(header: bytes, match: AcpcMatch) -> bool:
    """True if a header's run is the match's, or if it cannot be compared."""
    if match.title is None:
        return True
    said = headed(header)
    return said is not None and (said[0], *said[2:]) == (match.title, match.hands_due, match.seed)


def _betting(scanned: Scanned, place: int) -> Callable[[int], bytes]:
    """The betting of a match's hands by number."""
    events = scanned.events
    first, last = int(scanned.first_event[place]), int(scanned.first_event[place + 1])
    args = events.args[first:last][events.codes[first:last] == ev.STATE]
    at = dict(zip(events.values[args].tolist(), args.tolist(), strict=True))

    def betting(number: int) -> bytes:
        begin, size = events.values[at[number] + 1 : at[number] + 3].tolist()
        return events.text[begin : begin + size].tobytes().split(b":", 1)[0]

    return betting


def _substitute(sheets: Sheets, row: int, complaint: Complaint) -> None:
    """Mark an action as the dealer's, not the player's."""
    actions = records.actions_of(sheets, row, row)
    posts = int(np.count_nonzero(actions["action"] == records.POST))
    at = posts + sum(mark in b"fcr" for mark in complaint.betting)
    if at < len(actions):
        actions[at]["origin"] = records.SUBSTITUTE


def find_faults(
    scanned: Scanned, place: int, match: AcpcMatch, numbers: NDArray[np.int64]
) -> tuple[Fault, ...]:
    """The faults of a match, from its complaints.

    A complaint belongs to a hand whose betting begins as the error log says; to no hand of the log where the hand
    of its number was never finished.

    numbers  of its hands
    """
    complaints = (*match.beside.complaints, *match.complaints)
    if not complaints:
        return ()
    faults: list[Fault] = []
    # Concatenated logs may have hands out of order.
    place_of = {number: at for at, number in enumerate(numbers.tolist())}
    betting = _betting(scanned, place)
    of_match = {header: _is_of(header, match) for header in {c.header for c in complaints}}
    for complaint in complaints:
        if not of_match[complaint.header]:
            continue
        number = complaint.hand_no
        at = None if number is None else place_of.get(number)
        if number is None or at is None:
            faults.append(Fault(-1, complaint))
        elif betting(number).startswith(complaint.betting):
            faults.append(Fault(at, complaint))
    return tuple(faults)


def faults_in(
    faults: Sequence[Fault], first_hand: int, rows: tuple[int, int], is_last: bool
) -> tuple[Fault, ...]:
    """The faults of hands in the sheets, and with the last window those without a hand; by rows of the sheets.

    first_hand  of `records.MATCH`
    rows        where the sheets have hands of the match: the first, and the one after the last
    """
    return tuple(
        Fault(fault.row if fault.row < 0 else first_hand + fault.row, fault.complaint)
        for fault in faults
        if (is_last if fault.row < 0 else rows[0] <= first_hand + fault.row < rows[1])
    )


def substitute(sheets: Sheets, faults: Sequence[Fault]) -> None:
    """Mark actions as the dealer's, so they do not count as the player's choices."""
    for fault in faults:
        if fault.row >= 0 and fault.complaint.replaced:
            _substitute(sheets, fault.row, fault.complaint)
