"""Chooses the engine profile of a match, and sets the verdict of every finding and hand, for all families of games."""

import numpy as np
from numpy.typing import NDArray

from ..jit.compile import part
from . import findings, records
from .findings import NO_EXPLANATION
from .games import UNEXPLAINED


@part
def byte_of(explained: int, profile: int) -> int:
    """The byte of `records.FINDING`'s `explained` for a profile."""
    return (explained >> (8 * profile)) & UNEXPLAINED


@part
def count_missed(
    found: NDArray[np.void],
    first: int,
    last: int,
    profiles: int,
    without: int,
    missed: NDArray[np.int64],
) -> None:
    """Add to `missed` how many explicable findings of rows first to last each profile leaves unexplained.

    without: the rule whose findings are counted otherwise, -1 for none
    """
    for row in range(first, last):
        explained = found[row]["explained"]
        if explained != NO_EXPLANATION and found[row]["rule"] != without:
            for profile in range(profiles):
                missed[profile] += byte_of(explained, profile) == UNEXPLAINED


@part
def choose_profile(missed: NDArray[np.int64], profiles: int, fitting: int, record: NDArray[np.void]) -> int:
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
def give_verdicts(
    hands: NDArray[np.void],
    first_hand: int,
    last_hand: int,
    found: NDArray[np.void],
    first: int,
    last: int,
    chosen: int,
    many_lines: bool,
) -> None:
    """Give every finding of rows first to last and every hand of first_hand to last_hand its verdict.

    hands: `records.HAND`; chosen: the engine profile; many_lines: a hand is several lines, so that
    those of another log may begin among the hand before's.

    A hand's verdict is the worst of its findings. Lines of a hand that contradict each other explain every other
    finding there, because either line may be the wrong one. Findings that a marker above the hand, a lost hand or
    damage in the previous hand explains (bankrolls carried past it, or facts of another log) were marked as such when
    they were written; other findings are not excused.
    """
    for row in range(first_hand, last_hand):
        hands[row]["verdict"] = records.OK
        hands[row]["deviations"] = 0
    for row in range(first, last):
        finding = found[row]
        rule, hand = finding["rule"], hands[finding["hand"]]
        byte = byte_of(finding["explained"], chosen)
        if finding["explained"] != NO_EXPLANATION and byte != UNEXPLAINED:
            finding["verdict"], finding["deviation"] = records.DEVIATION, byte
        hand["deviations"] |= finding["deviation"]
        if finding["verdict"] != records.DAMAGED or (
            findings.BREAKS[rule] and finding["line"] >= hand["line"]
        ):
            hand["verdict"] = max(hand["verdict"], finding["verdict"])
        if many_lines and (rule == findings.SPLICED or rule == findings.SEQUENCE):
            before = hands[max(finding["hand"] - 1, first_hand)]
            if finding["hand"] > first_hand and before["verdict"] == records.VIOLATION:
                before["verdict"] = records.DAMAGED
    for row in range(first, last):
        finding = found[row]
        hand = hands[finding["hand"]]
        if hand["verdict"] == records.DAMAGED and finding["verdict"] == records.VIOLATION:
            finding["verdict"] = records.DAMAGED
        elif hand["verdict"] < records.VIOLATION and finding["verdict"] == records.DAMAGED:
            hand["verdict"] = records.DAMAGED
