"""The dealer's error log joined to the hands it complains of: faults that the log itself hides."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from ...parsers import events as ev
from ...parsers.acpc import AcpcMatch, headed
from ...parsers.acpc_sidecars import Complaint
from ...parsers.reading import Scanned
from .. import records
from ..records import Sheets


@dataclass(frozen=True)
class Fault:
    """A complaint and the hand it is of: its row, -1 where that hand is not in the log."""

    row: int
    complaint: Complaint


def _is_of(header: bytes, match: AcpcMatch) -> bool:
    """True where the run of a header is the match's, or there is nothing to compare."""
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
    """Note that an action was the dealer's, not the player's."""
    actions = records.actions_of(sheets, row, row)
    posts = int(np.count_nonzero(actions["action"] == records.POST))
    at = posts + sum(mark in b"fcr" for mark in complaint.betting)
    if at < len(actions):
        actions[at]["origin"] = records.SUBSTITUTE


def apply_complaints(
    scanned: Scanned, matches: Sequence[AcpcMatch], sheets: Sheets
) -> list[tuple[Fault, ...]]:
    """The faults of each match; actions that replaced a player's are no longer the player's choice.

    A complaint belongs to a hand whose betting begins as the error log says; to no hand of the log where the hand
    of its number was never finished.
    """
    found: list[tuple[Fault, ...]] = []
    for place, match in enumerate(matches):
        faults: list[Fault] = []
        complaints = (*match.beside.complaints, *match.complaints)
        if complaints:
            record = sheets.matches[place]
            first = int(record["first_hand"])
            rows = sheets.hands[first : first + int(record["hands"])]
            # Logs put together need not have their hands in order.
            place_of = {number: at for at, number in enumerate(rows["number"].tolist())}
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
                    faults.append(Fault(first + at, complaint))
                    if complaint.replaced:
                        _substitute(sheets, first + at, complaint)
        found.append(tuple(faults))
    return found
